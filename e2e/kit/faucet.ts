import { bytesToHex } from '@shardnode/protocol/encoding';
import { parseAddress } from '@shardnode/protocol/address';
import { type TestKey } from '@shardnode/testing/keys';
import { type ApiClient } from './api-client.js';
import { type BuiltForm, type ConfirmedForm } from './api-forms.js';
import { confirmed, signOffline, submit } from './transfers.js';

/**
 * The token faucet of the requirements as bytecode: fields symbol, name, decimals, supply and the mutable balance; an event
 * Withdraw (0), a debug message, an assertion with the code InvalidWithdrawAmount (0).
 */
export const faucetCode =
  '05050e1b404940574070010000000103d3c3401fcaa00002010000000103d3f4d264f1b102010201010013d30fb898ce16000e320c7ba00016002ba100' +
  'b4b11600ab05b416005f7e010977697468647261776e010201010003d3a3a3874e1600b0010006060509d3b29ee9bd160016012a1602160316041605' +
  '02';
export const methods = { getBalance: 0, id: 1, withdraw: 2, close: 3, sum: 4 } as const;
export const invalidWithdrawAmount = 0;

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

/** What a faucet with these tokens is made of, as the deployment takes it. */
const deploymentOf = (key: TestKey, supply: number) => ({
  fromPublicKey: bytesToHex(key.publicKey),
  bytecode: faucetCode + fieldsOf(supply),
  issueTokenAmount: String(supply),
});

export const contractIdOf = (address: string): string => {
  const script = parseAddress(address);
  if (script?.kind !== 'p2c') throw new Error(`${address} is no contract`);
  return script.contractId;
};

/** A script that withdraws 0 to 5 tokens. */
export const withdrawScript = (faucet: string, amount: number): string =>
  `01010300000005${(0x0c + amount).toString(16).padStart(2, '0')}0d0c144020${contractIdOf(faucet)}0102`;

export interface Faucet {
  readonly address: string;
  readonly deployed: ConfirmedForm;
  readonly txId: string;
}

/** Signs, submits and waits for the block. */
export const settle = async (api: ApiClient, key: TestKey, built: BuiltForm): Promise<ConfirmedForm> => {
  const { txId } = await submit(api, built.unsignedTx, signOffline(built, key));
  return confirmed(api, txId);
};

export const deployFaucet = async (api: ApiClient, key: TestKey, supply: number): Promise<Faucet> => {
  const built = await api.post<BuiltForm & { readonly contractAddress: string }>(
    '/contracts/unsigned-tx/deploy-contract',
    deploymentOf(key, supply),
  );
  return { address: built.contractAddress, deployed: await settle(api, key, built), txId: built.txId };
};
