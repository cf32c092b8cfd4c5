import { htmlText } from './html-text.js';

/** Services that have pages. */
export type PlaceName = 'explorer' | 'nodeApi' | 'explorerApi';

/** Addresses of the pages of all services, as the pages of one of them link to them; those that are not known are absent. */
export type Places = Readonly<Partial<Record<PlaceName, string>>>;

const placeNames: Readonly<Record<PlaceName, string>> = {
  explorer: 'Explorer',
  nodeApi: 'Node API',
  explorerApi: 'Explorer API',
};

/** Frame of the pages of a service. */
export interface DocsFrame {
  /** Of the tab. */
  readonly title: string;
  /** Which of the places these pages are. */
  readonly here: PlaceName;
  readonly places: Places;
  /** Addresses and names of the pages and files of this service, from its documentation. */
  readonly links: readonly (readonly [address: string, name: string])[];
  /** Examples of words to search operations by. */
  readonly searches: string;
}

/** With a slash at its end, so that relative addresses can follow. */
const folder = (url: string): string => (url.endsWith('/') ? url : `${url}/`);

/** The places beside a node whose explorer is at a URL. @param explorerUrl undefined: there is none */
export const placesOfNode = (explorerUrl: string | undefined): Places => ({
  ...(explorerUrl !== undefined && { explorer: folder(explorerUrl) }),
  nodeApi: './',
  ...(explorerUrl !== undefined && { explorerApi: `${folder(explorerUrl)}docs/` }),
});

/** The places beside an explorer whose node has its API at a URL. @param nodeApiUrl undefined: it is not known */
export const placesOfExplorer = (nodeApiUrl: string | undefined): Places => ({
  explorer: '../',
  ...(nodeApiUrl !== undefined && { nodeApi: `${folder(nodeApiUrl)}docs/` }),
  explorerApi: './',
});

const item = (address: string, name: string, isHere = false): string =>
  `<li><a href="${htmlText(address)}"${isHere ? ' aria-current="page"' : ''}>${htmlText(name)}</a></li>`;

/**
 * A page in its frame.
 * @param template `page/frame.html`
 * @param content HTML, which may have the place `{searches}`
 * @param base address of the documentation from the page; default: the page stands there
 */
export const framedPage = (
  template: string,
  { title, here, places, links, searches }: DocsFrame,
  content: string,
  base?: string,
): string => {
  const names = (Object.keys(placeNames) as PlaceName[]).filter((name) => places[name] !== undefined);
  const parts: Readonly<Record<string, string>> = {
    title: htmlText(title),
    base: base === undefined ? '' : `<base href="${htmlText(base)}" />`,
    home: htmlText(places.explorer ?? './'),
    places: names.map((name) => item(places[name]!, placeNames[name], name === here)).join('\n'),
    links: links.map(([address, name]) => item(address, name)).join('\n'),
    content: content.replace('{searches}', () => htmlText(searches)),
  };
  return template.replaceAll(/\{(\w+)\}/g, (place, name: string) => parts[name] ?? place);
};
