/** JSON that people keep by hand. Text is cut and joined here: jsonc-parser's own `modify` moves comments and reformats what stands beside. */
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
} from "jsonc-parser";
import type { Frame } from "../../../ground/clients/client.ts";
import { unreadable } from "./edit.ts";
import { lineEnd, unixLines } from "./line-end.ts";

export type Path = readonly (string | number)[];

/** The value at a path; undefined when there is none. */
export function valueAt(text: string, path: Path): unknown {
  const node = findNodeAtLocation(rootOf(text), [...path]);
  return node && structuredClone(getNodeValue(node)); // its objects have no prototype, and so equal no others
}

/** The text with a property, after the ones that are there; objects on the way to it are made. The property must be new. */
export function addProperty(text: string, path: readonly string[], value: unknown): string {
  const root = rootOf(text);
  let depth = path.length - 1;
  while (depth > 0 && !findNodeAtLocation(root, path.slice(0, depth))) depth -= 1;
  const container = depth === 0 ? root : findNodeAtLocation(root, path.slice(0, depth));
  if (container?.type !== "object")
    throw unreadable(`${path.slice(0, depth).join(".")} is not an object`);
  const key = path[depth] as string;
  const nested = path.slice(depth + 1).reduceRight((inner, name) => ({ [name]: inner }), value);
  return addChild(
    text,
    container,
    (indent, unit) => `${JSON.stringify(key)}: ${render(nested, indent, unit)}`,
  );
}

/** The text with one more item at the end of a list, which is made where there is none. */
export function addItem(text: string, path: readonly string[], item: unknown): string {
  const list = findNodeAtLocation(rootOf(text), [...path]);
  if (!list) return addProperty(text, path, [item]);
  if (list.type !== "array") throw unreadable(`${path.join(".")} is not a list`);
  return addChild(text, list, (indent, unit) => render(item, indent, unit));
}

/** The text with another value in the place of one. */
export function replaceValue(text: string, path: Path, value: unknown): string {
  const node = findNodeAtLocation(rootOf(text), [...path]);
  if (!node) return text;
  const indent = unitOf(text) === undefined ? undefined : indentOf(text, node.offset);
  const written = render(value, indent, unitOf(text)).replaceAll("\n", () => lineEnd(text));
  return cut(text, node.offset, end(node), written);
}

/** The text without a property or an item, and without objects and lists that are empty then. @param isKept which stay all the same. */
export function removeAt(
  text: string,
  path: Path,
  isKept: (path: Path) => boolean = () => false,
): string {
  const node = findNodeAtLocation(rootOf(text), [...path]);
  if (!node || path.length === 0) return text;
  const child = typeof path.at(-1) === "number" ? node : (node.parent as Node);
  const without = removeChild(text, child.parent as Node, child);
  const outer = path.slice(0, -1);
  const container = findNodeAtLocation(rootOf(without), outer);
  const isEmpty = container !== undefined && container.length === 2;
  return isEmpty && outer.length > 0 && !isKept(outer) ? removeAt(without, outer, isKept) : without;
}

/** A file to put our part into: the text, unless it is missing or blank. */
export function orFrame(text: string | undefined, frame: Frame): string {
  return text === undefined || isBlank(text) ? framed(frame) : text;
}

/** Whether a file is there and holds nothing, not even an object. */
export const isBlank = (text: string): boolean => text.trim() === "";

/** The text, unless nothing is left in it that anybody would miss. */
export function unlessFrame(text: string, frame: Frame): string | undefined {
  const holdsNothing = /^\s*\{\s*\}\s*$/.test(text);
  return holdsNothing || unixLines(text) === framed(frame) ? undefined : text;
}

/** Which objects and lists a file had before our part came in; none where that is not known. */
export function partsOf(before: string | undefined, frame: Frame): (path: Path) => boolean {
  const text = before === undefined ? undefined : orFrame(before.replace(/^\uFEFF/, ""), frame);
  return (path) => text !== undefined && valueAt(text, path) !== undefined;
}

const framed = (frame: Frame): string => `${JSON.stringify(frame, null, 2)}\n`;

function rootOf(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (!root || errors.length > 0) throw unreadable("it cannot be read as JSON");
  if (root.type !== "object") throw unreadable("it is not a JSON object");
  return root;
}

/** Indentation of a level; undefined for a file that is written on one line. */
function unitOf(text: string): string | undefined {
  if (!text.trim().includes("\n")) return text.trim().length > 2 ? undefined : "  ";
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
}

function render(value: unknown, indent: string | undefined, unit: string | undefined): string {
  if (indent === undefined || unit === undefined) return JSON.stringify(value);
  return JSON.stringify(value, null, unit).replaceAll("\n", () => `\n${indent}`);
}

function addChild(
  text: string,
  container: Node,
  child: (indent: string | undefined, unit: string | undefined) => string,
): string {
  const unit = unitOf(text);
  const last = container.children?.at(-1);
  const close = end(container) - 1;
  const isOnOneLine = last !== undefined && !text.slice(container.offset, close).includes("\n");
  if (unit === undefined || isOnOneLine) {
    const written = child(undefined, undefined);
    return last
      ? cut(text, end(last), end(last), `, ${written}`)
      : cut(text, close, close, written);
  }

  const eol = lineEnd(text);
  const outer = indentOf(text, container.offset);
  const indent = last && startsLine(text, last.offset) ? indentOf(text, last.offset) : outer + unit;
  const written = eol + indent + child(indent, unit).replaceAll("\n", () => eol);
  if (!last) {
    const inner = text.slice(container.offset + 1, close).trimEnd();
    return cut(text, container.offset + 1 + inner.length, close, `${written}${eol}${outer}`);
  }
  const { comma, lineEndsAt } = after(text, end(last), close);
  if (comma !== undefined) return cut(text, lineEndsAt, lineEndsAt, `${written},`);
  return cut(cut(text, lineEndsAt, lineEndsAt, written), end(last), end(last), ",");
}

function removeChild(text: string, container: Node, child: Node): string {
  const previous = container.children?.[container.children.indexOf(child) - 1];
  const close = end(container) - 1;
  const { comma } = after(text, end(child), close);
  const stop = comma === undefined ? end(child) : comma + 1;
  const others = text.slice(container.offset + 1, child.offset) + text.slice(stop, close);
  if (others.trim() === "") return cut(text, container.offset + 1, close, "");

  const isFirstOnItsLine = !previous && !startsLine(text, child.offset);
  if (isFirstOnItsLine) return cut(text, child.offset, stop + blank(/^\s*/, text.slice(stop)), "");
  const without = cut(
    text,
    child.offset - blank(/(?:\r?\n)?[ \t]*$/, text.slice(0, child.offset)),
    stop,
    "",
  );
  if (comma !== undefined || !previous) return without;
  const { comma: dangling } = after(text, end(previous), child.offset);
  return dangling === undefined ? without : cut(without, dangling, dangling + 1, "");
}

const blank = (pattern: RegExp, text: string): number => pattern.exec(text)?.[0].length ?? 0;

const TRIVIA = /([ \t]+)|(,)|(\/\/[^\r\n]*|\/\*(?:.|\n)*?\*\/)|(\r?\n)/y;

/** Where the comma after a child stands, and where its line ends, comments included. */
function after(
  text: string,
  from: number,
  to: number,
): { comma: number | undefined; lineEndsAt: number } {
  let comma: number | undefined;
  let lineEndsAt = from;
  let sameLine = true;
  for (let at = from; at < to; at = TRIVIA.lastIndex) {
    TRIVIA.lastIndex = at;
    const token = TRIVIA.exec(text);
    if (!token || (token[2] && comma !== undefined)) break;
    if (token[4]) sameLine = false;
    if (token[2]) comma = at;
    if (token[2] || (token[3] && sameLine)) lineEndsAt = TRIVIA.lastIndex;
  }
  return { comma, lineEndsAt };
}

const end = (node: Node): number => node.offset + node.length;

function cut(text: string, from: number, to: number, instead: string): string {
  return text.slice(0, from) + instead + text.slice(to);
}

function indentOf(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset).trim() === "";
}
