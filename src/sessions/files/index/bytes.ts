/** Numbers and texts in as few bytes as they need. */

export class ByteWriter {
  #bytes = Buffer.allocUnsafe(4096);
  length = 0;

  /** A whole number from 0 to 2^32 - 1, in groups of seven bits. */
  varint(value: number): void {
    this.#reserve(5);
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.length++] = rest;
  }

  text(text: string): void {
    const length = Buffer.byteLength(text);
    this.varint(length);
    this.#reserve(length);
    this.length += this.#bytes.write(text, this.length);
  }

  /** What was written so far; valid until more is written. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.length + more));
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
  }
}

/** Reads what a `ByteWriter` wrote. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, from = 0) {
    this.#bytes = bytes;
    this.#at = from;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.#at++] as number;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  text(): string {
    const length = this.varint();
    this.#at += length;
    return this.#bytes.toString("utf8", this.#at - length, this.#at);
  }
}
