/** The frame of the operations, and their headings. A plugin of Swagger UI. */

/** `found`: the ids of the operations that the search finds. */
const onlyFound = (taggedOperations, found) =>
  taggedOperations
    .map((group) =>
      group.update('operations', (all) => all.filter((one) => found.has(one.getIn(['operation', 'operationId'])))),
    )
    .filter((group) => group.get('operations').size > 0);

export const layout = ({ React }) => {
  const h = React.createElement;

  const Guide = ({ specSelectors, getComponent, isShown }) => {
    const Markdown = getComponent('Markdown', true);
    const info = specSelectors.info();
    const version = h('span', { className: 'version' }, `v${info.get('version')}`);
    return h(
      'article',
      { className: 'guide' },
      h('h1', null, info.get('title'), ' ', version),
      isShown && h(Markdown, { source: info.get('description') }),
    );
  };

  /** The key stays in this page: it is sent with requests of the forms, and is lost at the next load. */
  const KeyField = ({ specSelectors, authActions }) => {
    const [[name, schema]] = specSelectors.securityDefinitions().entrySeq().toArray();
    const change = ({ target: { value } }) =>
      value === '' ? authActions.logout([name]) : authActions.authorize({ [name]: { name, schema, value } });
    return h(
      'label',
      { className: 'key' },
      `${schema.get('name')} of the requests below`,
      h('input', { type: 'password', autoComplete: 'off', onChange: change }),
    );
  };

  const DocsLayout = (props) => {
    const { specSelectors, layoutSelectors, getComponent } = props;
    if (specSelectors.loadingStatus() !== 'success') return h('p', { className: 'loading' }, 'Loading the operations');
    const Operations = getComponent('operations', true);
    const found = layoutSelectors.currentFilter();
    return h(
      'div',
      { className: 'swagger-ui' },
      h(Guide, { ...props, isShown: !found }),
      specSelectors.securityDefinitions() && h(KeyField, props),
      found?.size === 0 ? h('p', { className: 'loading' }, 'No operation has all these words') : h(Operations),
    );
  };

  const OperationTag = ({ tagObj, tag, children, getComponent }) => {
    const Markdown = getComponent('Markdown', true);
    const description = tagObj.getIn(['tagDetails', 'description']);
    return h(
      'section',
      { className: 'group' },
      h('h2', { id: `operations-tag-${tag}` }, tag),
      description && h(Markdown, { source: description }),
      children,
    );
  };

  const OperationSummary = ({ operationProps, isShown, toggleShown }) => {
    const { method, path, summary, op } = operationProps.toObject();
    // Long paths break before a slash.
    const parts = path
      .split('/')
      .flatMap((part, at) => (at < 2 ? ['/'.repeat(at), part] : [h('wbr', { key: at }), `/${part}`]));
    return h(
      'h3',
      { className: 'summary' },
      h(
        'button',
        { type: 'button', 'aria-expanded': isShown, onClick: toggleShown },
        h('span', { className: `method ${method}` }, method.toUpperCase()),
        h('code', null, parts),
        h('span', { className: 'says' }, summary || op?.get('summary')),
      ),
    );
  };

  /** A field of a form inside its name, which Swagger UI shows elsewhere. */
  const named = (nameOf) => (Original) => (props) =>
    h('label', { className: 'field' }, h('span', { className: 'hidden' }, nameOf(props)), h(Original, props));

  return {
    // The forms are always open, so there is no switch for them.
    components: { DocsLayout, OperationTag, OperationSummary, TryItOutButton: () => null },
    wrapComponents: {
      JsonSchemaForm: named(({ description }) => description),
      RequestBodyEditor: named(() => 'Request body'),
    },
    fn: { opsFilter: onlyFound },
  };
};
