/** The API of the network that this program has started. */
export interface OwnApi {
  readonly baseUrl: string;
  /** The JSON of the answer, whatever its status. */
  get(path: string): Promise<unknown>;
}

export const ownApi = (baseUrl: string, apiKey: string | undefined): OwnApi => {
  const headers: Record<string, string> = apiKey === undefined ? {} : { 'X-API-KEY': apiKey };
  return { baseUrl, get: async (path) => (await fetch(`${baseUrl}${path}`, { headers })).json() };
};
