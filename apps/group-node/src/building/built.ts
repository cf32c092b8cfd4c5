import { ServiceError, type ErrorData } from '@shardnode/core/errors';
import { type BuildRefusalName } from '@shardnode/protocol/building';
import { timeText } from '@shardnode/protocol/primitives';
import { failureOf, type Refusal } from '@shardnode/protocol/validation';
import { failureData } from '../contracts/failure-data.js';

/** Refusals whose own text says when the locked outputs can be spent. */
const isLocked = (code: BuildRefusalName): boolean => code === 'LockedUtxo';

/**
 * The refusal of a builder as an error, with the place of the failure when a script failed. `data`: further facts, e.g.
 * `spendableAt`, milliseconds since 1970.
 */
export const refusalError = (refusal: Refusal<BuildRefusalName>, data: ErrorData = {}): ServiceError => {
  const { code, detail = code, facts } = refusal;
  const failure = failureOf(refusal);
  const { spendableAt } = data;
  const later =
    spendableAt === undefined || isLocked(code)
      ? ''
      : ` Locked outputs that would do can be spent from ${timeText(BigInt(spendableAt))} on.`;
  return new ServiceError('refused', code, `${detail}${later}`, {
    ...facts,
    ...(failure && failureData(failure)),
    ...data,
  });
};
