/** Samples of the request, response and errors of an operation; errors are folded under their statuses. A plugin of Swagger UI. */

const json = 'application/json';

/** A description of an error is a sentence and a list of codes. */
const codesOf = (description) =>
  [...description.matchAll(/^- `(\w+)`: (.*)$/gm)].map(([, code, meaning]) => ({ code, meaning }));

export const responses = ({ React }) => {
  const h = React.createElement;

  const Meaning = ({ text }) => text.split('`').map((part, at) => (at % 2 === 0 ? part : h('code', { key: at }, part)));

  const Answer = ({ response, fn, getComponent, getConfigs, specSelectors, specPath }) => {
    const ModelExample = getComponent('modelExample', true);
    const Code = getComponent('Code');
    const schema = response.getIn(['content', json, 'schema']);
    if (!schema) return h('p', null, 'The answer is empty.');
    const sample = fn.getSampleSchema(schema.toJS(), json, { includeReadOnly: true });
    const text = typeof sample === 'string' ? sample : JSON.stringify(sample, undefined, 2);
    return h(ModelExample, {
      schema,
      getComponent,
      getConfigs,
      specSelectors,
      includeReadOnly: true,
      specPath: specPath.push('200', 'content', json, 'schema'),
      example: h(Code, null, text),
    });
  };

  const ErrorStatus = ({ status, response, getComponent }) => {
    const Code = getComponent('Code');
    const description = response.get('description');
    const codes = codesOf(description);
    const example = response.getIn(['content', json, 'example']);
    const headers = response.get('headers')?.keySeq().toArray() ?? [];
    return h(
      'details',
      { className: 'error' },
      h(
        'summary',
        null,
        h('span', { className: 'status' }, status),
        h('span', null, description.split('\n', 1)[0]),
        h('span', { className: 'count' }, codes.length === 1 ? '1 code' : `${codes.length} codes`),
      ),
      example && h(Code, null, JSON.stringify(example.toJS(), undefined, 2)),
      h(
        'dl',
        null,
        codes.flatMap(({ code, meaning }) => [
          h('dt', { key: code }, h('code', null, code)),
          h('dd', { key: `${code} means` }, h(Meaning, { text: meaning })),
        ]),
      ),
      h(
        'p',
        { className: 'headers' },
        'Headers: ',
        headers.flatMap((name, at) => [at === 0 ? '' : ', ', h('code', { key: name }, name)]),
      ),
    );
  };

  const Responses = (props) => {
    const { responses: all, tryItOutResponse, path, method, getComponent, getConfigs, specSelectors, fn } = props;
    const LiveResponse = getComponent('liveResponse');
    const Samples = getComponent('Samples');
    const described = specSelectors.specJson().getIn(['paths', path, method]).toJS();
    const [header] = (specSelectors.securityDefinitions()?.valueSeq().toArray() ?? []).map((one) => one.get('name'));
    const type = described.responses['200'].content?.[json]?.schema.$ref?.split('/').at(-1);
    const errors = all
      .entrySeq()
      .toArray()
      .filter(([status]) => status !== '200');
    return h(
      'div',
      { className: 'responses' },
      tryItOutResponse
        ? h(LiveResponse, {
            response: tryItOutResponse,
            getComponent,
            getConfigs,
            specSelectors,
            path,
            method,
            displayRequestDuration: true,
          })
        : [
            h('h4', { key: 'title' }, 'Request'),
            h(Samples, { key: 'samples', type, request: fn.exampleRequest(described, path, method, header) }),
          ],
      h('h4', null, 'Answer ', h('span', { className: 'status ok' }, '200')),
      h(Answer, { ...props, response: all.get('200') }),
      h('h4', null, 'Errors ', h('a', { href: 'errors', className: 'aside' }, 'all error codes')),
      errors.map(([status, response]) => h(ErrorStatus, { key: status, status, response, getComponent })),
    );
  };

  /** A part of a schema that unfolds, with a name for screen readers. */
  const ModelCollapse = ({ title, expanded, collapsedContent, hideSelfOnExpand, classes, children }) => {
    const [isOpen, setOpen] = React.useState(Boolean(expanded));
    if (isOpen && hideSelfOnExpand) return h('span', { className: classes }, children);
    const arrow = h('span', { className: `model-toggle${isOpen ? '' : ' collapsed'}` });
    return h(
      'span',
      { className: classes },
      h(
        'button',
        { type: 'button', className: 'model-box-control', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) },
        title,
        h('span', { className: 'hidden' }, 'fields'),
        arrow,
        !isOpen && h('span', null, collapsedContent),
      ),
      isOpen && children,
    );
  };

  return { components: { responses: Responses, ModelCollapse } };
};
