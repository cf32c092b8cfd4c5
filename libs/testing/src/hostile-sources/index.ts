import { chains, statements, texts } from './long-syntax.js';
import { inheritance, members } from './many-members.js';
import { generated, multiplied, repeatedTexts } from './much-output.js';
import { filling, type HostileSource, times } from './source-forms.js';

export { type HostileSource } from './source-forms.js';
export { nestedSources } from './nested-brackets.js';

/** Sources at the limit of a request's length that were made to cost time, memory or stack. */
export const hostileSources: readonly HostileSource[] = [
  ...chains,
  ...texts,
  ...statements,
  ...members,
  ...inheritance,
  ...generated,
  ...repeatedTexts,
  ...multiplied,
  {
    name: 'structs around an asset script',
    operation: 'asset script',
    source: `${times(4_500, (i) => `struct S${i}{a:U256}`)} AssetScript A{pub fn f()->(){return}} ${times(4_500, (i) => `struct T${i}{a:U256}`)}`,
  },
  { name: 'values of a field list', operation: 'field literals', source: `[${filling('1,')}1]` },
  { name: 'lists in each other', operation: 'field literals', source: filling('[') },
  { name: 'repetitions of a field list', operation: 'field literals', source: '[[[[[1;65535];65535];65535];65535]]' },
  { name: 'many repetitions of a field list', operation: 'field literals', source: `[${filling('[1;60000],')}1]` },
];
