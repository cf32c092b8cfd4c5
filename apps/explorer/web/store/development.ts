import { read } from '../stream/api.js';
import { type Val } from './contract-forms.js';
import { type Chain } from './forms.js';
import { answerOf } from './loaded.js';
import { type NamedField } from './contract-fields.js';
import { type DevelopmentAccount, pageState } from './page-state.js';
import { network } from './network.js';

/** What a development network on this machine tells of its accounts and sources; other networks have nothing of it. */

/** Whether the explorer has the operations of `/development`. */
export const hasDevelopmentTools = pageState.development !== undefined;

export const accounts: readonly DevelopmentAccount[] = pageState.development?.accounts ?? [];

const byAddress = new Map(accounts.map((account) => [account.address, account]));

/** The account with an address, if it is one whose key everybody knows. */
export const accountOf = (address: string): DevelopmentAccount | undefined => byAddress.get(address);

/** A parameter, a field or a result, by its slot of the machine. */
export interface NamedSlot {
  readonly name: string;
  /** `U256`, `I256`, `Bool`, `ByteVec`, `Address`, or the name of a contract, whose id it is. */
  readonly type: string;
}

export interface EventNames {
  readonly name: string;
  readonly fields?: readonly NamedSlot[];
}

export interface FunctionNames {
  readonly name: string;
  readonly isPublic: boolean;
  /** Whether its caller must approve assets. */
  readonly usePreapprovedAssets: boolean;
  readonly params?: readonly NamedSlot[];
  readonly returns?: readonly string[];
}

/** Names in the source of a contract. What is absent has a type whose layout nobody told. */
export interface ContractSource {
  readonly contract: string;
  readonly fields?: readonly NamedField[];
  readonly functions: readonly FunctionNames[];
  readonly events: readonly EventNames[];
}

/** What a call without effects came to. */
export type CallResult =
  | {
      readonly type: 'CallContractSucceeded';
      readonly returns: readonly Val[];
      readonly gasUsed: number;
      readonly debugMessages: readonly string[];
    }
  | {
      readonly type: 'CallContractFailed';
      readonly error: string;
      /** `Contract.function` */
      readonly failedFunction?: string;
      /** `Enum.Value` */
      readonly assertionName?: string;
    };

export const sourcePath = (address: string): string => `development/contracts/${address}/source`;

/** @throws ApiFailure */
export const callContract = (address: string, methodIndex: number, args: readonly Val[]): Promise<CallResult> =>
  read<CallResult>(`development/contracts/${address}/call`, { methodIndex, args });

/** Answers when blocks are mined; undefined: nobody of this page may know. */
export const miningPath = hasDevelopmentTools ? 'development/mining' : undefined;

interface Mining {
  /** `instant`: with each submit; `interval`: in rounds; `off`: on request alone. */
  readonly mode: string;
}

/** Whether the network makes blocks on request alone, as far as that is known. */
export const isMiningOff = (): boolean =>
  miningPath !== undefined && answerOf<Mining>(miningPath).value?.mode === 'off';

/** @returns the hash of the block @throws ApiFailure */
export const mineOneBlock = async ({ chainFrom, chainTo }: Chain): Promise<string> =>
  (await read<{ readonly blockHash: string }>('development/mine-one-block', { chainFrom, chainTo })).blockHash;

/** Compiles a source, whose names the network knows from then on. @throws ApiFailure that says why it was not compiled */
export const compileSource = (code: string): Promise<unknown> => read('development/compile', { code });

const touches = (): number => accounts.reduce((sum, { address }) => sum + (network.value.touched.get(address) ?? 0), 0);

/** Milliseconds for which a payment may be unknown to the explorer. */
const longestWaitMs = 10_000;

/**
 * Pays from one account to another.
 * @returns the id of the transaction, when the explorer has heard of it
 * @throws ApiFailure
 */
export const sendTestPayment = async (): Promise<string> => {
  const before = touches();
  const { txId } = await read<{ readonly txId: string }>('development/test-payment', {});
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      // Not inside of the first notice, which comes before there is something to stop.
      queueMicrotask(() => stop());
      resolve();
    };
    const timer = setTimeout(end, longestWaitMs);
    const stop = network.subscribe(() => {
      if (touches() > before) end();
    });
  });
  return txId;
};
