import { type Codec, byteString, either, hash32, record, timestamp, u256, vector } from '../encoding/index.js';
import { assetLockupScriptCodec } from '../primitives/index.js';
import { type AssetOutput, type ContractOutput, type Output, type Token } from './model.js';

const tokens: Codec<readonly Token[]> = vector(record<Token>({ id: hash32, amount: u256 }));

/** protocol 01 §11.1. The lockup script of a contract is refused. */
export const assetOutputCodec: Codec<AssetOutput> = {
  write: (writer, output) => {
    u256.write(writer, output.amount);
    assetLockupScriptCodec.write(writer, output.lockupScript);
    timestamp.write(writer, output.lockTime);
    tokens.write(writer, output.tokens);
    byteString.write(writer, output.additionalData);
  },
  read: (reader) => ({
    kind: 'asset',
    amount: u256.read(reader),
    lockupScript: assetLockupScriptCodec.read(reader),
    lockTime: timestamp.read(reader),
    tokens: tokens.read(reader),
    additionalData: byteString.read(reader),
  }),
};

/** protocol 01 §11.2: the contract id has no kind byte before it. */
export const contractOutputCodec: Codec<ContractOutput> = {
  write: (writer, output) => {
    u256.write(writer, output.amount);
    hash32.write(writer, output.contractId);
    tokens.write(writer, output.tokens);
  },
  read: (reader) => ({
    kind: 'contract',
    amount: u256.read(reader),
    contractId: hash32.read(reader),
    tokens: tokens.read(reader),
  }),
};

/** `00` and an asset output, or `01` and a contract output (protocol 01 §11.2). */
export const outputCodec: Codec<Output> = either<AssetOutput, ContractOutput>(
  assetOutputCodec,
  contractOutputCodec,
  (output) => output.kind === 'contract',
);
