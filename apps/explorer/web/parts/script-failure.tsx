import { type ScriptFailure, type Transaction } from '../store/forms.js';
import { useAnswer } from '../store/loaded.js';
import { feeOf } from '../store/payments.js';
import { texts } from '../texts.js';
import { AddressLink } from './links.js';
import { plainText } from './plain-text.js';
import { amountWords } from './values.js';

const Place = ({ failure }: { readonly failure: ScriptFailure }) => {
  const words = texts.transaction.failure;
  const { contract, place, failedFunction, assertionCode, assertionName } = failure;
  const code = assertionName ?? assertionCode;
  return (
    <>
      {contract !== undefined && (
        <>
          {words.inContract} <AddressLink id={contract} />
          {failedFunction !== undefined && <b class="code-name"> {plainText(failedFunction)}</b>}.{' '}
        </>
      )}
      {code !== undefined && <>{words.code(plainText(code))} </>}
      {place !== undefined && <span class="quiet">{words.place(place)}</span>}
    </>
  );
};

/** Says that a script failed, what that cost, and why, as its group-node finds out. */
export const ScriptFailureBanner = ({ transaction }: { readonly transaction: Transaction }) => {
  const words = texts.transaction.failure;
  const { hash, blockHash } = transaction;
  const { value, failure, isLoading } = useAnswer<ScriptFailure>(`transactions/${hash}/script-failure`, blockHash);
  const reason = value?.reason ?? undefined;
  return (
    <div class="banner script-failure" role="status">
      <p>
        {reason === undefined ? (
          words.failedOnly
        ) : (
          <>
            {words.failed} <b>{plainText(reason, words.longest)}</b>
          </>
        )}
      </p>
      {value !== undefined && reason !== undefined && (
        <p>
          <Place failure={value} />
        </p>
      )}
      {value?.reason === null && <p class="quiet">{words.forgotten}</p>}
      {value === undefined && failure !== undefined && <p class="quiet">{words.notAsked}</p>}
      {value === undefined && isLoading && <p class="quiet">{words.asking}</p>}
      <p>{words.cost(amountWords(feeOf(transaction)).full)}</p>
    </div>
  );
};
