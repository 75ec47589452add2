/** Reads and writes protobuf by a table of fields, as far as the scripted backend needs it. */

/** `map` is a map from strings to google.protobuf.Value. */
type Scalar = "string" | "bytes" | "int" | "bool" | "map";
type Kind = Scalar | MessageType;
interface Field {
  readonly number: number;
  readonly kind: Kind;
  readonly isList: boolean;
}
/** The fields of a message by name. */
export type MessageType = { readonly [name: string]: Field };
export type Message = { readonly [name: string]: unknown };

export const one = (number: number, kind: Kind): Field => ({ number, kind, isList: false });
export const list = (number: number, kind: Kind): Field => ({ number, kind, isList: true });

const VARINT = 0;
const EIGHT_BYTES = 1;
const LENGTH = 2;
const FOUR_BYTES = 5;

export function encode(message: Message, type: MessageType): Buffer {
  const parts: Buffer[] = [];
  for (const [name, { number, kind, isList }] of Object.entries(type)) {
    const value = message[name];
    if (value === undefined) {
      continue;
    }
    const values = isList ? (value as unknown[]) : [value];
    for (const item of values) {
      parts.push(encodeField(number, kind, item));
    }
  }
  return Buffer.concat(parts);
}

/** Leaves out fields that the table does not have. */
export function decode(bytes: Uint8Array, type: MessageType): Message {
  const names = new Map(Object.entries(type).map(([name, field]) => [field.number, name]));
  const message: Record<string, unknown> = {};
  for (const { number, value } of fieldsIn(bytes)) {
    const name = names.get(number);
    const field = name === undefined ? undefined : type[name];
    if (name === undefined || field === undefined) {
      continue;
    }
    const decoded = decodeValue(value, field.kind);
    if (field.isList) {
      message[name] = [...((message[name] as unknown[]) ?? []), decoded];
    } else {
      message[name] = decoded;
    }
  }
  return message;
}

function encodeField(number: number, kind: Kind, value: unknown): Buffer {
  switch (kind) {
    case "string":
      return withLength(number, Buffer.from(value as string));
    case "bytes":
      return withLength(number, value as Buffer);
    case "int":
    case "bool":
      return Buffer.concat([tag(number, VARINT), varint(Number(value))]);
    case "map":
      return encodeEntries(number, value as object);
    default:
      return withLength(number, encode(value as Message, kind));
  }
}

function encodeJson(value: unknown): Buffer {
  if (value === null) {
    return Buffer.concat([tag(1, VARINT), varint(0)]);
  }
  if (typeof value === "number") {
    const double = Buffer.alloc(8);
    double.writeDoubleLE(value);
    return Buffer.concat([tag(2, EIGHT_BYTES), double]);
  }
  if (typeof value === "string") {
    return withLength(3, Buffer.from(value));
  }
  if (typeof value === "boolean") {
    return Buffer.concat([tag(4, VARINT), varint(Number(value))]);
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => withLength(1, encodeJson(item)));
    return withLength(6, Buffer.concat(items));
  }
  return withLength(5, encodeEntries(1, value as object));
}

function encodeEntries(number: number, value: object): Buffer {
  const entries = Object.entries(value).map(([key, item]) =>
    withLength(
      number,
      Buffer.concat([withLength(1, Buffer.from(key)), withLength(2, encodeJson(item))]),
    ),
  );
  return Buffer.concat(entries);
}

function withLength(number: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([tag(number, LENGTH), varint(bytes.length), bytes]);
}

const tag = (number: number, wireType: number): Buffer => varint(number * 8 + wireType);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

function* fieldsIn(bytes: Uint8Array): Generator<{ number: number; value: number | Buffer }> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = buffer.readUInt8(at);
      at += 1;
      value += (byte % 128) * factor;
      if (byte < 128) {
        return value;
      }
    }
  };
  const take = (length: number): Buffer => {
    at += length;
    return buffer.subarray(at - length, at);
  };
  while (at < buffer.length) {
    const key = readVarint();
    const number = Math.floor(key / 8);
    const wireType = key % 8;
    if (wireType === VARINT) {
      yield { number, value: readVarint() };
    } else if (wireType === EIGHT_BYTES) {
      yield { number, value: take(8) };
    } else if (wireType === FOUR_BYTES) {
      yield { number, value: take(4) };
    } else if (wireType === LENGTH) {
      yield { number, value: take(readVarint()) };
    } else {
      throw new Error(`Protobuf has no wire type ${wireType}.`);
    }
  }
}

function decodeValue(value: number | Buffer, kind: Kind): unknown {
  if (kind === "int") {
    return value;
  }
  if (kind === "bool") {
    return value !== 0;
  }
  const bytes = value as Buffer;
  switch (kind) {
    case "string":
      return bytes.toString();
    case "bytes":
      return bytes;
    case "map":
      throw new Error("The backend reads no map.");
    default:
      return decode(bytes, kind);
  }
}
