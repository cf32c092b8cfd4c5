/** Requests as curl and as TypeScript. A plugin of Swagger UI. */

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const indented = (text, by) => text.replaceAll('\n', `\n${by}`);

/** A request of an operation with the values of its examples. `operation`: from the description. */
const exampleRequest = (operation, path, method, apiKeyHeader) => {
  const values = (place) => (operation.parameters ?? []).filter((one) => one.in === place && one.example !== undefined);
  const query = new URLSearchParams(values('query').map(({ name, example }) => [name, String(example)])).toString();
  const filled = values('path').reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  );
  const body = operation.requestBody?.content['application/json']?.example;
  return {
    url: new URL(`..${filled}${query === '' ? '' : `?${query}`}`, document.baseURI).href,
    method: method.toUpperCase(),
    headers: {
      ...(apiKeyHeader ? { [apiKeyHeader]: 'YOUR-API-KEY' } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body, undefined, 2),
  };
};

/** JSON as it is written in TypeScript: names without quotes, strings in single ones. */
const literal = (json) => json.replaceAll(/"([A-Za-z_]\w*)":/g, '$1:').replaceAll(/"((?:[^"\\']|\\[^"'])*)"/g, "'$1'");

const toCurl = ({ url, method, headers, body }) => {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ];
  return lines.join(' \\\n  ');
};

/** `type`: name of the schema of the response; undefined: the response is no object of its own, or empty. */
const toTypeScript = ({ url, method, headers, body }, type) => {
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(Object.keys(headers).length === 0
      ? []
      : [`headers: ${literal(JSON.stringify(headers, undefined, 1)).replaceAll(/\n */g, ' ')},`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indented(literal(body), '  ')}),`]),
  ];
  const init = options.length === 0 ? '' : `, {\n${options.map((option) => `  ${option}\n`).join('')}}`;
  const types =
    type &&
    [
      `// Types: npx openapi-typescript ${new URL('openapi.json', document.baseURI).href} -o api.ts`,
      `import type { components } from './api.js';\n\n`,
    ].join('\n');
  const answer = type ? `(await response.json()) as components['schemas']['${type}']` : `await response.json()`;
  return [
    `${types ?? ''}const response = await fetch('${url}'${init});`,
    "if (!response.ok) throw new Error(`${response.headers.get('X-Error-Code')}: ${await response.text()}`);",
    `const answer = ${answer};`,
  ].join('\n');
};

/** The sent request, from Swagger UI's form of it, without the key, because people share it. */
const sentRequest = (request) => {
  const { url, method, headers, body } = request.toJS();
  let text = typeof body === 'string' ? body : undefined;
  try {
    text = text && JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    // Sent as typed, although it is not JSON.
  }
  const { 'Content-Type': type, 'X-API-KEY': key } = headers ?? {};
  return {
    url: new URL(url, document.baseURI).href,
    method: method.toUpperCase(),
    headers: { ...(key ? { 'X-API-KEY': 'YOUR-API-KEY' } : {}), ...(type && text ? { 'Content-Type': type } : {}) },
    body: text,
  };
};

const languages = [
  { id: 'curl', title: 'curl', write: toCurl },
  { id: 'typescript', title: 'TypeScript', write: toTypeScript },
];

const tokens =
  /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)(\s*:)?|(\/\/.*$)|\b(true|false|null|const|await|import|type|from|if|throw|new|as|curl)\b|\b(-?\d+(?:\.\d+)?)\b/gm;

/** Code in spans by kind of token, coloured by the style sheet. */
const coloured = (h, text) => {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    const [all, string, colon, comment, word] = match;
    const kind = comment ? 'comment' : string ? (colon ? 'name' : 'string') : word ? 'word' : 'number';
    parts.push(text.slice(end, match.index), h('span', { key: match.index, className: `token-${kind}` }, all));
    end = match.index + all.length;
  }
  return [...parts, text.slice(end)];
};

export const samples = ({ React }) => {
  const h = React.createElement;

  const Code = ({ children, className = '' }) => {
    const text = [children].flat().join('');
    return h(
      'pre',
      { className: `code ${className}` },
      h('code', null, text.length < 50_000 ? coloured(h, text) : text),
    );
  };

  /** Pages that are no secure context (a name in the LAN over HTTP) have no clipboard: a selection is copied. */
  const copyText = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
      document.body.append(field);
      field.select();
      const isCopied = document.execCommand('copy');
      field.remove();
      return isCopied;
    }
  };

  const CopyButton = ({ text }) => {
    const [isCopied, setCopied] = React.useState();
    const copy = async () => {
      setCopied(await copyText(text));
      setTimeout(() => setCopied(undefined), 2_000);
    };
    const label = isCopied === undefined ? 'Copy' : isCopied ? 'Copied' : 'Not copied';
    return h('button', { type: 'button', className: 'copy', onClick: copy }, label);
  };

  const Samples = ({ request, type }) => {
    const [language, setLanguage] = React.useState(languages[0]);
    const text = language.write(request, type);
    return h(
      'section',
      { className: 'samples' },
      h(
        'div',
        { className: 'samples-bar' },
        h(
          'div',
          { role: 'group', 'aria-label': 'Language' },
          languages.map((one) =>
            h(
              'button',
              {
                key: one.id,
                type: 'button',
                'aria-pressed': one === language,
                onClick: () => setLanguage(one),
              },
              one.title,
            ),
          ),
        ),
        h(CopyButton, { text }),
      ),
      h(Code, null, text),
    );
  };

  return {
    components: {
      Code,
      Samples,
      SyntaxHighlighter: Code,
      RequestSnippets: ({ request }) => h(Samples, { request: sentRequest(request) }),
    },
    fn: { exampleRequest },
  };
};
