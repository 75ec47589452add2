/**
 * Changes JSON that people keep by hand. jsonc-parser's `modify` adds and replaces. Removing has its own code, because
 * `modify` would also delete the comments next to our part.
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

/**
 * The text with a value at a path: in place of the property that is there, or first in its object or list. `modify` reformats
 * that line, and a comment on it then follows our part. Missing objects and lists on the way are made. @throws SentinelError `config_unreadable`.
 */
export function setValue(text: string, path: Path, value: unknown): string {
  // This refuses a file that can't be read, or has one of the keys twice.
  nodeAt(rootOf(text), path);
  const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  const formattingOptions = {
    insertSpaces: !unit.startsWith("\t"),
    tabSize: unit.length,
    eol: lineEnd(text),
  };
  const options = { formattingOptions, isArrayInsertion: true, getInsertionIndex: () => 0 };
  try {
    return applyEdits(text, modify(text, [...path], value, options));
  } catch (cause) {
    throw unreadable(`it has another kind of value on the way to ${path.join(".")}`, cause);
  }
}

/** Returns the text without a property or an item, and without the objects and lists that contained only that. */
export function removeAt(text: string, path: Path): string {
  const node = nodeAt(rootOf(text), path);
  if (!node) {
    return text;
  }
  const child = entryOf(node);
  const container = child.parent as Node;
  const isOnly = container.children?.length === 1 && path.length > 1;
  if (isOnly && !hasComment(text, entryOf(container), child)) {
    return removeAt(text, path.slice(0, -1));
  }
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
  if (!root || errors.length > 0) {
    throw unreadable("it cannot be read as JSON");
  }
  if (root.type !== "object") {
    throw unreadable("it is not a JSON object");
  }
  return root;
}

/** The node at a path. Two readers of a file may choose different ones of two equal keys. */
function nodeAt(root: Node, path: Path): Node | undefined {
  let node: Node | undefined = root;
  for (const key of path) {
    if (typeof key === "number") {
      node = node?.children?.[key];
    } else {
      const properties: readonly Node[] = node?.type === "object" ? (node.children ?? []) : [];
      const named = properties.filter(({ children }) => children?.[0]?.value === key);
      if (named.length > 1) {
        throw unreadable(`it has the key ${key} more than once`);
      }
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
  if (comma !== undefined) {
    edits.push(removal(comma, 1));
  }
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
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const next = text.indexOf("\n", offset) + 1;
  const isBlankLine = next > 0 && isBlank(text.slice(start, next));
  return isBlankLine ? text.slice(0, start) + text.slice(next) : text;
}

const end = ({ offset, length }: Node): number => offset + length;
