import { documentedText } from '@shardnode/http';
import { type Refusal } from '@shardnode/protocol/validation';

/** The text of a refusal that existing clients match, as in the vectors; our own if it is the same. */
export const documentedTextOf = ({ code, detail, facts = {} }: Refusal<string>): string | undefined =>
  documentedText(code, facts) ?? detail;
