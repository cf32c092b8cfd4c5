import { type ContractEvent } from '../store/contract-forms.js';
import { type Transaction } from '../store/forms.js';
import { reload, useAnswer } from '../store/loaded.js';
import { texts } from '../texts.js';
import { Card, Failure } from './card.js';
import { EventCells } from './contract/event-cells.js';

/** What the contracts of a transaction told. */
export const TransactionEvents = ({ transaction }: { readonly transaction: Transaction }) => {
  const words = texts.contract;
  const path = `contract-events/transaction-id/${transaction.hash}`;
  const { value = [], failure } = useAnswer<readonly ContractEvent[]>(path, transaction.blockHash);
  if (failure === undefined && value.length === 0) return null;
  return (
    <Card title={words.events} aside={<span class="quiet">{value.length}</span>} class="table">
      {failure !== undefined && <Failure failure={failure} retry={() => void reload(path)} />}
      {value.length > 0 && (
        <table class="transaction-events">
          <caption class="unseen">{words.events}</caption>
          <thead>
            <tr>
              <th>{words.event}</th>
              <th>{texts.events.contract}</th>
              <th>{words.eventFields}</th>
            </tr>
          </thead>
          <tbody>
            {value.map((event, i) => (
              <tr key={i}>
                <EventCells event={event} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
};
