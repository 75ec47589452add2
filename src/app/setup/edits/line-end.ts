/** The line end that a text uses, for what we add to it. */
export const lineEnd = (text: string): "\n" | "\r\n" => (text.includes("\r\n") ? "\r\n" : "\n");

/** The text with Unix line ends, because git may check our files out with those of Windows. */
export const unixLines = (text: string): string => text.replaceAll("\r\n", "\n");
