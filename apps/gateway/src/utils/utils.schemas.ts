import {
  digits,
  fields,
  flagAnswer,
  hexText,
  longestKeyText,
  publicKey,
  required,
  signature,
  transactionIdText,
} from '@shardnode/http';

export const VerifySignature = fields(
  {
    data: required(hexText, {
      description: 'What was signed, 32 bytes',
      example: transactionIdText.meaning.example,
      maxLength: longestKeyText,
    }),
    signature: required(signature),
    publicKey: required(publicKey),
  },
  { description: 'Signature to verify', id: 'VerifySignature' },
);
export const VerifySignatureResult = flagAnswer('Whether the signature is good', true);

export const TargetToHashrate = fields(
  {
    target: required(hexText, {
      description: 'Target in compact form, 4 bytes',
      example: '1b032b55',
      maxLength: longestKeyText,
    }),
  },
  { description: 'Target', id: 'TargetToHashrate' },
);
export const HashRate = fields(
  { hashrate: digits('Hashes per second', '355255758493400', 'H/s') },
  { description: 'Hash rate', id: 'HashRate' },
);
