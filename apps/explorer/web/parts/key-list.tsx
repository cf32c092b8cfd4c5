import { texts } from '../texts.js';

/** Every key of the page, and what it does. */
export const KeyList = () => {
  const { title, key, effect, list } = texts.keys;
  return (
    <table class="key-list">
      <caption class="unseen">{title}</caption>
      <thead class="unseen">
        <tr>
          <th scope="col">{key}</th>
          <th scope="col">{effect}</th>
        </tr>
      </thead>
      <tbody>
        {list.map(([keys, does]) => (
          <tr key={does}>
            <th scope="row">
              {keys.map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </th>
            <td>{does}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
