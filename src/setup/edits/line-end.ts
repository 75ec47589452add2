/** The line end that a text uses, so that what is added to it looks like the rest. */
export function lineEnd(text: string): "\n" | "\r\n" {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
