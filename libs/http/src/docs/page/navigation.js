/** Search and list of operations. Drawn before Swagger UI, which takes far longer to load. */

/** Groups in the order of the page: `[{ tag, operations: [{ id, method, path, summary, text }] }]`. */
const groupsOf = ({ tags, paths }) => {
  const operations = Object.entries(paths).flatMap(([path, ofPath]) =>
    Object.entries(ofPath).map(
      ([
        method,
        {
          operationId: id,
          summary,
          description = '',
          tags: [tag],
        },
      ]) => {
        const text = [method, path, tag, summary, description].join(' ').toLowerCase();
        return { id, tag, method, path, summary, text };
      },
    ),
  );
  return tags.map(({ name }) => ({ tag: name, operations: operations.filter(({ tag }) => tag === name) }));
};

const element = (name, properties = {}, children = []) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

const entryOf = ({ id, tag, method, path, summary }) => {
  const label = element('span', { className: `method ${method}`, textContent: method.toUpperCase() });
  const link = element('a', { href: `#/${tag}/${id}`, title: path }, [
    label,
    element('span', { textContent: summary }),
  ]);
  link.dataset.operation = id;
  link.dataset.tag = tag;
  return element('li', {}, [link]);
};

/** Whether every word occurs in the operation: method, path, group, summary or description. */
const matches = ({ text }, search) =>
  search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));

/**
 * Fills `place` with the operations. `onSearch` gets the text, and the ids of the operations that it finds; `onOpen` gets group
 * and id of an operation.
 */
export const drawNavigation = (place, description, { onSearch, onOpen }) => {
  const groups = groupsOf(description).map(({ tag, operations }) => {
    const entries = operations.map((operation) => ({ operation, item: entryOf(operation) }));
    const list = element(
      'ul',
      {},
      entries.map(({ item }) => item),
    );
    return {
      entries,
      section: element('section', {}, [element('p', { className: 'nav-group', textContent: tag }), list]),
    };
  });
  const input = place.querySelector('input');
  const status = place.querySelector('[role=status]');
  const total = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  const search = () => {
    const found = new Set();
    for (const { entries, section } of groups) {
      for (const { operation, item } of entries) {
        item.hidden = !matches(operation, input.value.trim());
        if (!item.hidden) found.add(operation.id);
      }
      section.hidden = entries.every(({ item }) => item.hidden);
    }
    status.textContent = input.value.trim() === '' ? `${total} operations` : `${found.size} of ${total} operations`;
    onSearch(input.value.trim(), found);
  };
  const list = place.querySelector('.nav-list');
  list.append(...groups.map(({ section }) => section));
  list.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    place.classList.remove('is-open');
    onOpen(link.dataset.tag, link.dataset.operation);
  });
  const toggle = place.querySelector('button');
  toggle.addEventListener('click', () => {
    toggle.setAttribute('aria-expanded', String(place.classList.toggle('is-open')));
  });
  input.addEventListener('input', search);
  search();
};
