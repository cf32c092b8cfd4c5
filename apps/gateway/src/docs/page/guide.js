/* global SwaggerUIBundle */

/** A page of Markdown: `/docs/exchange` shows `exchange.md`. */

const place = document.getElementById('guide');
const name = document.location.pathname.split('/').filter(Boolean).at(-1);
const served = ['exchange', 'errors'];

/** Links to pages that are served here lead to them; other relative links become text. */
const withLinks = (markdown) =>
  markdown.replaceAll(/\[([^\]]+)\]\((?!https?:|#)([^)]+)\)/g, (_all, text, target) => {
    const page = served.find((one) => target.startsWith(`${one}.md`));
    return page ? `[${text}](${page})` : text;
  });

/** Elements wider than a phone scroll by themselves, also by keyboard. */
const makeScrollable = () => {
  for (const wide of place.querySelectorAll('pre, table')) wide.tabIndex = 0;
};

const start = async () => {
  const response = await fetch(`${name}.md`);
  if (!response.ok) throw new Error(`status ${response.status}`);
  // Comments are for the tools that format the sources.
  const source = withLinks((await response.text()).replaceAll(/^<!--.*-->\n/gm, ''));
  const guide = ({ React }) => ({
    components: {
      GuideLayout: ({ getComponent }) => {
        React.useEffect(makeScrollable, []);
        return React.createElement(getComponent('Markdown', true), { source });
      },
    },
  });
  document.title = `${/^# (.*)$/m.exec(source)[1]} · ${document.title}`;
  SwaggerUIBundle({
    dom_id: '#guide',
    layout: 'GuideLayout',
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [guide],
    validatorUrl: null,
  });
};

start().catch((error) => {
  place.textContent = `This page cannot be shown (${error.message}): reload it`;
});
