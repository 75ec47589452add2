/**
 * Changes JSON that people keep by hand, by jsonc-parser's nodes and edits. Its `modify` replaces
 * values. It isn't used to add or remove: it would attach a comment to another entry, or delete it.
 */
import { isDeepStrictEqual } from "node:util";
import {
  applyEdits,
  type Edit,
  getNodeValue,
  modify,
  type Node,
  type ParseError,
  parseTree,
  stripComments,
} from "jsonc-parser";
import type { Frame } from "../../../ground/clients/client.ts";
import { type Created, type Path, unreadable } from "./edit.ts";
import { lineEnd } from "./line-end.ts";

/** The value at a path, or undefined. @throws SentinelError `config_unreadable`. */
export function valueAt(text: string, path: Path): unknown {
  const node = nodeAt(rootOf(text), path);
  // A clone gives the parser's objects the usual prototype, so they can be compared.
  return node && structuredClone(getNodeValue(node));
}

/** The text with a new property at the end of its object. Missing objects on the way are made. */
export function addProperty(text: string, path: readonly string[], value: unknown): string {
  const root = rootOf(text);
  let depth = path.length - 1;
  while (nodeAt(root, path.slice(0, depth)) === undefined) depth -= 1;
  const container = nodeAt(root, path.slice(0, depth));
  if (container?.type !== "object")
    throw unreadable(`${path.slice(0, depth).join(".")} is not an object`);
  const inner = path.slice(depth + 1);
  const nested = inner.reduceRight((rest, name) => ({ [name]: rest }), value);
  return addChild(text, container, `${JSON.stringify(path[depth])}: `, nested);
}

/** The text with a new item at the end of a list, which is made if it's missing. */
export function addItem(text: string, path: readonly string[], item: unknown): string {
  const list = nodeAt(rootOf(text), path);
  if (!list) return addProperty(text, path, [item]);
  if (list.type !== "array") throw unreadable(`${path.join(".")} is not a list`);
  return addChild(text, list, "", item);
}

/** The text with another value at a path. */
export function replaceValue(text: string, path: Path, value: unknown): string {
  if (!nodeAt(rootOf(text), path.slice(0, -1))) return text;
  const unit = indentUnit(text);
  const formattingOptions = {
    insertSpaces: !unit.startsWith("\t"),
    tabSize: unit.length,
    eol: lineEnd(text),
  };
  return applyEdits(text, modify(text, [...path], value, { formattingOptions }));
}

/** The text without a property or an item, and without what we created around it, once empty. */
export function removeAt(text: string, path: Path, created: Created): string {
  const node = nodeAt(rootOf(text), path);
  if (!node || path.length === 0) return text;
  const isItem = typeof path.at(-1) === "number";
  const rest = removeChild(text, isItem ? node : (node.parent as Node));
  const outer = path.slice(0, -1);
  const container = nodeAt(rootOf(rest), outer) as Node;
  const start = container.offset + 1;
  const inside = rest.slice(start, end(container) - 1);
  if (inside.trim() !== "") return rest;
  const isOurs = outer.length > 0 && created.container(outer);
  if (isOurs) return removeAt(rest, outer, created);
  return applyEdits(rest, [removal(start, inside.length)]);
}

/** The text to add to: the file's, or that of an empty file of the client. */
export function orFrame(text: string | undefined, frame: Frame): string {
  const isBlank = text === undefined || text.trim() === "";
  return isBlank ? `${JSON.stringify(frame, null, 2)}\n` : text;
}

/** The text of a file without our part, or undefined to delete the file. */
export function unlessEmpty(text: string, frame: Frame, created: Created): string | undefined {
  const value = valueAt(text, []);
  const hasContent = !isDeepStrictEqual(value, {}) && !isDeepStrictEqual(value, frame);
  if (hasContent || stripComments(text) !== text) return text;
  if (created.file) return undefined;
  // The file was there, but blank.
  return created.container([]) ? "" : text;
}

function rootOf(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (!root || errors.length > 0) throw unreadable("it cannot be read as JSON");
  if (root.type !== "object") throw unreadable("it is not a JSON object");
  return root;
}

/** The node at a path. Two readers of a file may choose different ones of two equal keys. */
function nodeAt(root: Node, path: Path): Node | undefined {
  let node: Node | undefined = root;
  for (const key of path) {
    if (typeof key === "number") node = node?.children?.[key];
    else {
      const named: Node[] = propertiesOf(node).filter(
        ({ children }) => children?.[0]?.value === key,
      );
      if (named.length > 1) throw unreadable(`it has the key ${key} more than once`);
      node = named[0]?.children?.[1];
    }
  }
  return node;
}

function propertiesOf(node: Node | undefined): readonly Node[] {
  return node?.type === "object" ? (node.children ?? []) : [];
}

/** A comma and comments behind a value, on its line. */
const REST_OF_LINE = /^(?:[ \t]*(?:,|\/\*[^\r\n]*?\*\/|\/\/[^\r\n]*))*/;

/** Adds a child below the last one, whose comments stay on its line. */
function addChild(text: string, container: Node, name: string, value: unknown): string {
  const last = container.children?.at(-1);
  const from = last ? end(last) : container.offset + 1;
  const restOfLine = REST_OF_LINE.exec(text.slice(from))?.[0] ?? "";
  const offset = from + restOfLine.length;
  const eol = lineEnd(text);
  const unit = indentUnit(text);
  const outer = indentAt(text, container.offset);
  const isBelow = last !== undefined && startsLine(text, last.offset);
  const indent = isBelow ? indentAt(text, last.offset) : outer + unit;
  const lines = `\n${name}${JSON.stringify(value, null, unit)}`;
  const child = lines.replaceAll("\n", () => eol + indent);
  if (!last) {
    const inside = text.slice(offset, end(container) - 1);
    if (inside.includes("\n")) return applyEdits(text, [insertion(offset, child)]);
    const space = removal(offset, inside.length);
    return applyEdits(text, [space, insertion(offset + inside.length, child + eol + outer)]);
  }
  const hasComma = commaIn(text, from, offset) !== undefined;
  const edits = hasComma
    ? [insertion(offset, `${child},`)]
    : [insertion(from, ","), insertion(offset, child)];
  return applyEdits(text, edits);
}

/** Removes a property or an item, one comma, and the line that is blank then. */
function removeChild(text: string, child: Node): string {
  const container = child.parent as Node;
  const siblings = container.children ?? [];
  const index = siblings.indexOf(child);
  const previous = siblings[index - 1];
  const next = siblings[index + 1]?.offset ?? end(container) - 1;
  const start = text.slice(0, child.offset).trimEnd().length;
  const space = text.slice(start, child.offset);
  // The line break above stays, because it may end a comment.
  const offset = start + space.lastIndexOf("\n") + 1;
  const edits = [removal(offset, end(child) - offset)];
  const commaBelow = commaIn(text, end(child), next);
  const commaAbove = previous && commaIn(text, end(previous), child.offset);
  const comma = commaBelow ?? commaAbove;
  if (comma !== undefined) edits.push(removal(comma, 1));
  const isAbove = comma !== undefined && comma < offset;
  return withoutBlankLine(applyEdits(text, edits), isAbove ? offset - 1 : offset);
}

const insertion = (offset: number, content: string): Edit => ({ offset, length: 0, content });

const removal = (offset: number, length: number): Edit => ({ offset, length, content: "" });

/** The offset of the comma between two values, outside of comments. */
function commaIn(text: string, from: number, to: number): number | undefined {
  const tokens = text.slice(from, to).matchAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|,/g);
  const comma = [...tokens].find(([token]) => token === ",");
  return comma && from + comma.index;
}

function withoutBlankLine(text: string, offset: number): string {
  const start = startOfLine(text, offset);
  const next = text.indexOf("\n", offset) + 1;
  const isBlank = next > 0 && text.slice(start, next).trim() === "";
  return isBlank ? text.slice(0, start) + text.slice(next) : text;
}

/** The indentation of one level. */
function indentUnit(text: string): string {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
}

/** The indentation of the line that an offset is on. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(startOfLine(text, offset));
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(startOfLine(text, offset), offset).trim() === "";
}

const startOfLine = (text: string, offset: number): number =>
  text.lastIndexOf("\n", offset - 1) + 1;

const end = ({ offset, length }: Node): number => offset + length;
