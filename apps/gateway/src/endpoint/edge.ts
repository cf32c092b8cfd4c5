import { type Clock } from '@shardnode/core/lifecycle';
import {
  type AnswerSchemas,
  type Brand,
  type ContractForms,
  type ErrorTexts,
  type RequestSchemas,
  type TransactionForms,
} from '@shardnode/http';
import { type UnminablePolicy } from '@shardnode/protocol/building';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type SubmitWindows } from '../admission/submit-windows.js';
import { type PeerBook } from '../peers/peer-book.js';
import { type UnchangingAnswers } from '../remembered/unchanging-answers.js';
import { type SyncMonitor } from '../synced/sync-monitor.js';
import { type TransactionPlaces } from '../status/transaction-places.js';

/** The switches of protocol 07 §1.3 that a profile sets. */
export interface ApiProfile {
  readonly walletBalances: 'integer' | 'string';
  readonly walletAddresses: 'addresses' | 'infos';
  readonly multisigBuildGas: boolean;
  readonly gasFormula: 'document' | 'reference';
  /** What validation would refuse (00-decisions, 26): refused when building, or built as the reference does. */
  readonly unminable: UnminablePolicy;
  /** Whose words errors have. */
  readonly errorTexts: ErrorTexts;
  /** Intervals that end before the genesis, such as those in seconds: refused, or without blocks as the document has them. */
  readonly beforeGenesis: 'refuse' | 'answer';
}

export const apiProfiles = {
  document: {
    walletBalances: 'integer',
    walletAddresses: 'addresses',
    multisigBuildGas: false,
    gasFormula: 'document',
    unminable: 'refuse',
    errorTexts: 'own',
    beforeGenesis: 'refuse',
  },
  reference: {
    walletBalances: 'string',
    walletAddresses: 'infos',
    multisigBuildGas: true,
    gasFormula: 'reference',
    unminable: 'build',
    errorTexts: 'documented',
    beforeGenesis: 'answer',
  },
} as const satisfies Record<string, ApiProfile>;

export type ApiProfileName = keyof typeof apiProfiles;

/** Everything that endpoints are made of. */
export interface Edge {
  readonly network: NetworkSettings;
  readonly brand: Brand;
  readonly profile: ApiProfile;
  /** Version of the API, `v1.2.3`. */
  readonly reportedVersion: string;
  readonly commit: string;
  readonly requests: RequestSchemas;
  readonly answers: AnswerSchemas;
  readonly forms: TransactionForms;
  readonly contractForms: ContractForms;
  readonly places: TransactionPlaces;
  readonly unchanging: UnchangingAnswers;
  readonly sync: SyncMonitor;
  readonly submitWindows: SubmitWindows;
  readonly clock: Clock;
  readonly peerBook: PeerBook;
  /** Where this gateway listens, once it does; `pushPort`: 0 without a push. */
  readonly listening: () => { readonly host: string; readonly port: number; readonly pushPort: number };
}
