/** Comments of a source, and the words in them that docs/style.md excludes. */

/** Lines of comments with their numbers. A line is one of a comment by its beginning, or by `//` behind code without a quote. */
export const commentsOf = (source) =>
  source.split('\n').flatMap((line, index) => {
    const [, ofBlock] = line.match(/^\s*(?:\/\/|\/\*+|\*)\s?(.*)/) ?? [];
    const [, behindCode] = line.match(/^[^'"`]*\s\/\/\s(.*)/) ?? [];
    const text = ofBlock ?? behindCode;
    return text === undefined ? [] : [{ line: index + 1, text }];
  });

/** `tell` in its forms and `anew` anywhere, `What` and `Whatever` as the beginning of a sentence. */
export const excludedIn = (text) => [
  ...[...text.matchAll(/(?:^|[.;:] )(What(?:ever)?) /g)].map(([, word]) => word),
  ...[...text.matchAll(/\b(told|tells?|anew)\b/gi)].map(([, word]) => word),
];
