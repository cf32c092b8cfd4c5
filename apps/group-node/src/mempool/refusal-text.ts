import { type ServiceError, type ErrorData } from '@shardnode/core/errors';
import { refusedTransaction, serviceError } from '@shardnode/messages';
import { type Mempool, type PressureRefusal } from '@shardnode/protocol/policy';
import { type Hash } from '@shardnode/protocol/primitives';
import { type TransactionTemplate } from '@shardnode/protocol/transaction';
import { failureOf, type Refusal } from '@shardnode/protocol/validation';
import { failureData } from '../contracts/failure-data.js';

/** A transaction that fails validation, with the place where its script failed; `known`: see `refusedTransaction`. */
export const validationError = (
  id: Hash,
  template: TransactionTemplate,
  refusal: Refusal,
  known: ErrorData = {},
): ServiceError => {
  const failure = failureOf(refusal);
  return refusedTransaction(id, template, refusal, { ...(failure && failureData(failure)), ...known });
};

/** The condition and the fill level of each limit on ancestors (decision 12). */
const ancestorTexts = {
  0: [
    'depends on transactions that are not mined',
    'three quarters full',
    ': the rest is for transactions without unmined ancestors',
  ],
  25: ['has more than 25 unmined ancestors', 'half full', ''],
} as const;

/** A transaction that the pool does not take now; the client may submit it again. */
export const poolRefusal = (id: Hash, { group, size, capacity }: Mempool, refusal: PressureRefusal): ServiceError => {
  if (refusal.kind === 'full') {
    const detail = `The mempool of group ${group} is full: ${size} transactions wait there. This one was not kept: submit it again later`;
    return serviceError('MempoolFull', detail, { group });
  }
  const { ancestorLimit } = refusal;
  const [condition, level, rest] = ancestorTexts[ancestorLimit];
  const detail =
    `Transaction ${id} ${condition}, and the mempool of group ${group} is at least ${level} (${size} of ${capacity})${rest}. ` +
    'It was not kept: put several destinations into one transaction, or split the output beforehand; or submit it again when its ancestors are mined';
  return serviceError('TooManyUnminedAncestors', detail, { group, ancestorLimit });
};
