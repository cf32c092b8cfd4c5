import { documentedText } from '@shardnode/http';
import { type Refusal } from '@shardnode/protocol/validation';

/** The text of a refusal that existing clients match, which is what vectors have; our own where that is theirs. */
export const documentedTextOf = ({ code, detail, facts = {} }: Refusal<string>): string | undefined =>
  documentedText(code, facts) ?? detail;
