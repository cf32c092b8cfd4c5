import { type DestinationGroups } from './destination-checks.js';
import { type GasFormula } from './gas-estimate.js';
import { type UnminablePolicy } from './minable.js';
import { type Destination } from './outputs.js';
import { type ScriptTrial } from './script-gas.js';
import { type Sender } from './sender.js';

export interface TransferRequest {
  readonly networkId: number;
  readonly groups: number;
  readonly sender: Sender;
  readonly destinations: readonly Destination[];
  readonly gasAmount?: number | undefined;
  /** attoCoin per unit of gas. */
  readonly gasPrice: bigint;
  readonly gasFormula: GasFormula;
  /** Required for senders that unlock with a script. */
  readonly trial?: ScriptTrial | undefined;
  readonly destinationGroups: DestinationGroups;
  /** Default: `refuse`. */
  readonly unminable?: UnminablePolicy | undefined;
}
