const numberWords = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'];
const bigWords: Readonly<Record<number, string>> = {
  16: 'Sixteen',
  25: 'Twenty-five',
  36: 'Thirty-six',
  64: 'Sixty-four',
};
/** A small number as a word, at the start of a sentence. */
export const word = (count: number): string => numberWords[count] ?? bigWords[count] ?? String(count);

export const plural = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`;
