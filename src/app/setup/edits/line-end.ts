/** The line end that a text uses, so that what is added to it looks like the rest. */
export const lineEnd = (text: string): "\n" | "\r\n" => (text.includes("\r\n") ? "\r\n" : "\n");

/** The text with the line ends of Unix: a file of ours is still ours where git checks it out as on Windows. */
export const unixLines = (text: string): string => text.replaceAll("\r\n", "\n");
