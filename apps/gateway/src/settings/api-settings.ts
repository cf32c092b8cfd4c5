import { type Brand, type ErrorTexts } from '@shardnode/http';
import { type UnminablePolicy } from '@shardnode/protocol/building';
import { type NetworkSettings } from '@shardnode/protocol/network';

/** The switches of protocol 07 §1.3 that a profile sets. */
export interface ApiProfile {
  readonly walletBalances: 'integer' | 'string';
  readonly walletAddresses: 'addresses' | 'infos';
  readonly multisigBuildGas: boolean;
  readonly gasFormula: 'document' | 'reference';
  /**
   * Policy for transactions that validation would refuse (00-decisions, 26): refused when building, or built as the
   * reference does.
   */
  readonly unminable: UnminablePolicy;
  /** Source of the texts of errors. */
  readonly errorTexts: ErrorTexts;
  /**
   * Unknown options of the compiler are refused, and a private function of an abstract contract that no child calls is warned
   * about once; or they are ignored, and each child warns of it.
   */
  readonly compiler: 'strict' | 'reference';
  /** Times before the genesis, such as those in seconds: refused, or an interval without blocks and a lock that locks nothing. */
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
    compiler: 'strict',
    beforeGenesis: 'refuse',
  },
  reference: {
    walletBalances: 'string',
    walletAddresses: 'infos',
    multisigBuildGas: true,
    gasFormula: 'reference',
    unminable: 'build',
    errorTexts: 'documented',
    compiler: 'reference',
    beforeGenesis: 'answer',
  },
} as const satisfies Record<string, ApiProfile>;

export type ApiProfileName = keyof typeof apiProfiles;

/** The network and its presentation by this gateway. Injected where a response depends on it. */
export abstract class ApiSettings {
  abstract readonly network: NetworkSettings;
  abstract readonly brand: Brand;
  abstract readonly profile: ApiProfile;
  /** Version of the API, `v1.2.3`. */
  abstract readonly reportedVersion: string;
  abstract readonly commit: string;
  /** Where browsers find the explorer; undefined: it is not known. */
  abstract readonly explorerUrl: string | undefined;
  /** Address of this gateway, once it listens; `pushPort`: 0 without a push. */
  abstract listening(): { readonly host: string; readonly port: number; readonly pushPort: number };
}
