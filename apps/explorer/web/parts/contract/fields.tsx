import { type ContractField } from '../../store/contract-fields.js';
import { texts } from '../../texts.js';
import { Card } from '../card.js';
import { useChanges } from '../use-changes.js';
import { ValueText } from './value.js';

/** @param at its place in the list: those that can change and the others are counted on */
const nameOf = ({ name, isInterfaceMark }: ContractField, at: number): string =>
  name ?? (isInterfaceMark ? texts.contract.interfaceMark : texts.contract.unnamed(at));

const keyOf = ({ isMutable, position }: ContractField): string => `${isMutable} ${position}`;

/** The fields of a contract. One that changes while somebody looks is tinted for a moment. */
export const Fields = ({ fields }: { readonly fields: readonly ContractField[] }) => {
  const words = texts.contract;
  const changing = fields.filter(({ isMutable }) => isMutable).length;
  const changes = useChanges(new Map(fields.map((field) => [keyOf(field), field.val.value])));
  return (
    <Card
      title={words.fields}
      aside={fields.length > 0 && <span class="quiet">{words.fieldsHint(changing, fields.length - changing)}</span>}
      class="table"
    >
      {fields.length === 0 ? (
        <p class="empty">{words.noFields}</p>
      ) : (
        <table class="contract-fields">
          <caption class="unseen">{words.fields}</caption>
          <thead>
            <tr>
              <th>{words.field}</th>
              <th class="wide-only">{words.type}</th>
              <th class="number">{words.value}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field, at) => {
              const changed = changes.get(keyOf(field)) ?? 0;
              return (
                // Another key: the tint begins anew.
                <tr key={`${keyOf(field)} ${changed}`} class={changed > 0 ? 'fresh' : ''}>
                  <td>
                    <span class={field.name === undefined ? 'quiet' : 'code-name'}>{nameOf(field, at)}</span>
                    {!field.isMutable && <span class="tag">{words.fixed}</span>}
                  </td>
                  <td class="wide-only quiet code-name">{field.type}</td>
                  <td class="number">
                    <ValueText val={field.val} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </Card>
  );
};
