/**
 * Changes JSON that people keep by hand, by jsonc-parser's nodes and edits. Its `modify` replaces
 * values. It isn't used to add or remove: it would attach a comment to another entry, or delete it.
 * What we add comes first, so no line of the user's changes.
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
import { type Path, unreadable } from "./edit.ts";
import { lineEnd } from "./marked-block.ts";

/** The value at a path, or undefined. @throws SentinelError `config_unreadable`. */
export function valueAt(text: string, path: Path): unknown {
  const node = nodeAt(rootOf(text), path);
  // A clone gives the parser's objects the usual prototype, so they can be compared.
  return node && structuredClone(getNodeValue(node));
}

/** The text with a new first property of its object. Missing objects on the way are made. */
export function addProperty(text: string, path: readonly string[], value: unknown): string {
  const outer = path.slice(0, -1);
  const name = path.at(-1) as string;
  const container = nodeAt(rootOf(text), outer);
  if (!container) return addProperty(text, outer, { [name]: value });
  if (container.type !== "object") throw unreadable(`${outer.join(".")} is not an object`);
  return addFirst(text, container, `${JSON.stringify(name)}: `, value);
}

/** The text with a new first item of a list, which is made if it's missing. */
export function addItem(text: string, path: readonly string[], item: unknown): string {
  const list = nodeAt(rootOf(text), path);
  if (!list) return addProperty(text, path, [item]);
  if (list.type !== "array") throw unreadable(`${path.join(".")} is not a list`);
  return addFirst(text, list, "", item);
}

/** The text with another value at a path. */
export function replaceValue(text: string, path: Path, value: unknown): string {
  const unit = indentUnit(text);
  const formattingOptions = {
    insertSpaces: !unit.startsWith("\t"),
    tabSize: unit.length,
    eol: lineEnd(text),
  };
  return applyEdits(text, modify(text, [...path], value, { formattingOptions }));
}

/** Returns the text without a property or an item, and without the objects and lists that contained only that. */
export function removeAt(text: string, path: Path): string {
  const node = nodeAt(rootOf(text), path);
  if (!node) return text;
  const child = entryOf(node);
  const container = child.parent as Node;
  const isOnly = container.children?.length === 1 && path.length > 1;
  if (isOnly && !hasComment(text, entryOf(container), child))
    return removeAt(text, path.slice(0, -1));
  return removeChild(text, container, child);
}

export const isBlank = (text = ""): boolean => text.trim() === "";

/** The text of a new file. */
export const jsonFile = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** The text, or undefined if it only has the properties that the client's empty file has. */
export function unlessEmpty(text: string, frame: Frame): string | undefined {
  const value = valueAt(text, []);
  const isEmpty = isDeepStrictEqual(value, {}) || isDeepStrictEqual(value, frame);
  return isEmpty && stripComments(text) === text ? undefined : text;
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
      const properties: readonly Node[] = node?.type === "object" ? (node.children ?? []) : [];
      const named = properties.filter(({ children }) => children?.[0]?.value === key);
      if (named.length > 1) throw unreadable(`it has the key ${key} more than once`);
      node = named[0]?.children?.[1];
    }
  }
  return node;
}

/** The property of a value, or the value itself if it's an item of a list. */
const entryOf = (value: Node): Node => (value.parent?.type === "property" ? value.parent : value);

/** Whether a node has comments outside of one of its children. */
function hasComment(text: string, node: Node, child: Node): boolean {
  const around = text.slice(node.offset, child.offset) + text.slice(end(child), end(node));
  return stripComments(around) !== around;
}

/** Adds the first child of an object or list, below a comment on the line that opens it. */
function addFirst(text: string, container: Node, name: string, value: unknown): string {
  const unit = indentUnit(text);
  const outer = lineEnd(text) + indentAt(text, container.offset);
  const lines = `\n${name}${JSON.stringify(value, null, unit)}`;
  const child = lines.replaceAll("\n", () => outer + unit);
  const start = container.offset + 1;
  const inside = text.slice(start, end(container) - 1);
  if (isBlank(inside))
    return applyEdits(text, [{ offset: start, length: inside.length, content: child + outer }]);
  const [comment = ""] = /^[ \t]*\/\/[^\r\n]*/.exec(inside) ?? [];
  const comma = container.children?.length ? "," : "";
  return applyEdits(text, [{ offset: start + comment.length, length: 0, content: child + comma }]);
}

/** Removes a property or an item, one comma, and the line that is blank then. */
function removeChild(text: string, container: Node, child: Node): string {
  const siblings = container.children ?? [];
  const index = siblings.indexOf(child);
  const previous = siblings[index - 1];
  const next = siblings[index + 1]?.offset ?? end(container) - 1;
  const commaBelow = commaIn(text, end(child), next);
  const commaAbove = previous && commaIn(text, end(previous), child.offset);
  const comma = commaBelow ?? commaAbove;
  const edits = [removal(child.offset, child.length)];
  if (comma !== undefined) edits.push(removal(comma, 1));
  const isAbove = comma !== undefined && comma < child.offset;
  return withoutBlankLine(applyEdits(text, edits), isAbove ? child.offset - 1 : child.offset);
}

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
  const isBlankLine = next > 0 && isBlank(text.slice(start, next));
  return isBlankLine ? text.slice(0, start) + text.slice(next) : text;
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

const startOfLine = (text: string, offset: number): number =>
  text.lastIndexOf("\n", offset - 1) + 1;

const end = ({ offset, length }: Node): number => offset + length;
