const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as HTML, inside an element or an attribute in double quotes. */
export const htmlText = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => entities[character]!);
