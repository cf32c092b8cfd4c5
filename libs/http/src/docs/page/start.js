/* global SwaggerUIBundle */
import { layout } from './layout.js';
import { drawNavigation } from './navigation.js';
import { responses } from './responses.js';
import { samples } from './samples.js';

const place = document.getElementById('docs');

const readDescription = async () => {
  const response = await fetch('openapi.json');
  if (!response.ok) throw new Error(`openapi.json: status ${response.status}`);
  return response.json();
};

const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** The page preloads it. */
const loadSwagger = () =>
  new Promise((resolve, reject) => {
    const src = document.querySelector('link[as=script]').href;
    document.head.append(Object.assign(document.createElement('script'), { src, onload: resolve, onerror: reject }));
  });

const startSwagger = (description) => {
  const ui = SwaggerUIBundle({
    dom_id: '#docs',
    layout: 'DocsLayout',
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [layout, responses, samples],
    deepLinking: true,
    docExpansion: 'list',
    tryItOutEnabled: true,
    displayRequestDuration: true,
    requestSnippetsEnabled: true,
    showCommonExtensions: true,
    defaultModelExpandDepth: 2,
    validatorUrl: null,
  });
  // As an object: a text would be parsed as YAML, which takes longer than everything else.
  ui.specActions.updateJsonSpec(description);
  ui.specActions.updateLoadingStatus('success');
  return ui;
};

const start = async () => {
  const description = await readDescription();
  let ui;
  let wanted;
  let found;
  const search = () => ui?.layoutActions.updateFilter(found);
  const open = () => {
    if (!ui || !wanted) return;
    const [tag, id] = wanted;
    ui.layoutActions.show(['operations', tag, id], true);
    requestAnimationFrame(() => {
      const operation = document.getElementById(`operations-${tag}-${id}`);
      operation?.scrollIntoView();
      operation?.querySelector('button').focus({ preventScroll: true });
    });
  };
  drawNavigation(document.querySelector('nav'), description, {
    onSearch: (text, ids) => {
      found = text === '' ? '' : ids;
      search();
    },
    onOpen: (...operation) => {
      wanted = operation;
      open();
    },
  });
  await painted();
  await loadSwagger();
  ui = startSwagger(description);
  search();
  open();
};

start().catch((error) => {
  place.textContent = `The operations cannot be shown (${error.message ?? 'a file is missing'}): reload the page`;
});
