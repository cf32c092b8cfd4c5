/** The debug text that a patch makes of the release text: `=n` copies, `-n` skips, `+text` inserts (protocol 06 §9.3). */
export const debugText = (release: string, patch: string): string => {
  if (patch === '') return release;
  let at = 0;
  let text = '';
  for (const [, kind, value] of patch.matchAll(/([=+-])([0-9a-f{}]*)/g)) {
    if (kind === '+') text += value!;
    else if (kind === '=') text += release.slice(at, (at += Number(value)));
    else at += Number(value);
  }
  if (at !== release.length) throw new Error(`the patch covers ${at} of ${release.length} characters`);
  return text;
};
