import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { parseAddress } from '@shardnode/protocol/address';
import { debugText } from '@shardnode/testing/compiled-code';
import { type TestKey } from '@shardnode/testing/keys';
import { type ApiClient } from './api-client.js';
import { type BuiltForm, type ConfirmedForm } from './api-forms.js';
import { faucetProject } from './sdk-project.js';
import { confirmed, signOffline, submit } from './transfers.js';

/** The token faucet of the requirements, the same as in the README. */
export const faucetSource = readFileSync(join(faucetProject, 'contracts/faucet.ral'), 'utf8');
export const withdrawSource = readFileSync(join(faucetProject, 'contracts/withdraw.ral'), 'utf8');

/** The faucet as the network under test compiles it. */
export interface CompiledFaucet {
  /** With debug messages. */
  readonly code: string;
  /** Index of a method by its name. */
  method(name: string): number;
}

interface CompiledForm {
  readonly bytecode: string;
  readonly bytecodeDebugPatch: string;
  readonly functions: readonly { readonly name: string }[];
}

export const compileFaucet = async (api: ApiClient): Promise<CompiledFaucet> => {
  const compiled = await api.post<CompiledForm>('/contracts/compile-contract', { code: faucetSource });
  const method = (name: string): number => {
    const index = compiled.functions.findIndex((each) => each.name === name);
    if (index === -1) throw new Error(`the faucet has no method ${name}`);
    return index;
  };
  return { code: debugText(compiled.bytecode, compiled.bytecodeDebugPatch), method };
};

const u256 = (value: number): string => (value < 64 ? value.toString(16).padStart(2, '0') : `40${value.toString(16)}`);
/** Symbol TF, name TokenFaucet, 18 decimals; at most 255 tokens. */
const fieldsOf = (supply: number): string =>
  `0403025446030b546f6b656e466175636574021202${u256(supply)}0102${u256(supply)}`;

export const immutableFields = (supply: number) => [
  { type: 'ByteVec', value: '5446' },
  { type: 'ByteVec', value: '546f6b656e466175636574' },
  { type: 'U256', value: '18' },
  { type: 'U256', value: String(supply) },
];

export const contractIdOf = (address: string): string => {
  const script = parseAddress(address);
  if (script?.kind !== 'p2c') throw new Error(`${address} is no contract`);
  return script.contractId;
};

/** The bytecode of a script that withdraws tokens. */
export const withdrawScript = async (api: ApiClient, faucet: string, amount: number): Promise<string> => {
  const code = `TxScript Main { TokenFaucet(#${faucet}).withdraw(${amount}) }\n${faucetSource}`;
  const compiled = await api.post<{ readonly bytecodeTemplate: string }>('/contracts/compile-script', { code });
  return compiled.bytecodeTemplate;
};

/** A contract of this network, in a block. */
export interface DeployedContract {
  readonly address: string;
  readonly deployed: ConfirmedForm;
  readonly txId: string;
}

/** Signs, submits and waits for the block. */
export const settle = async (api: ApiClient, key: TestKey, built: BuiltForm): Promise<ConfirmedForm> => {
  const { txId } = await submit(api, built.unsignedTx, signOffline(built, key));
  return confirmed(api, txId);
};

/** Deploys a contract. `contract`: what the operation takes beside the key. */
export const deployContract = async (api: ApiClient, key: TestKey, contract: object): Promise<DeployedContract> => {
  const built = await api.post<BuiltForm & { readonly contractAddress: string }>(
    '/contracts/unsigned-tx/deploy-contract',
    { fromPublicKey: bytesToHex(key.publicKey), ...contract },
  );
  return { address: built.contractAddress, deployed: await settle(api, key, built), txId: built.txId };
};

/** Deploys a faucet with these tokens. */
export const deployFaucet = (api: ApiClient, key: TestKey, code: string, supply: number): Promise<DeployedContract> =>
  deployContract(api, key, { bytecode: code + fieldsOf(supply), issueTokenAmount: String(supply) });
