/** A chain, or a height of it. */
export interface PlaceOnChain {
  readonly from: number;
  readonly to: number;
  readonly height?: number;
}

const placeForm =
  /^(?:chain )?(\d{1,2}) ?(?:\/|[-=]?>|→) ?(\d{1,2})(?:[ @,:#]+(?:(?:height|block)[ :#]*)?(\d{1,3}(?:[ ,.'’_]\d{3})+|\d{1,10}))?$/i;

/** `0/2`, `0/2 1234`, `0>2@1,234`, `chain 0 → 2, height 1234`; undefined for any other text. */
export const placeOnChain = (text: string): PlaceOnChain | undefined => {
  const [, from, to, height] = placeForm.exec(text) ?? [];
  if (from === undefined) return undefined;
  const place = { from: Number(from), to: Number(to) };
  return height === undefined ? place : { ...place, height: Number(height.replaceAll(/\D/g, '')) };
};

/** `0/2`, `0/2 1234` */
export const placeText = ({ from, to, height }: PlaceOnChain): string =>
  height === undefined ? `${from}/${to}` : `${from}/${to} ${height}`;
