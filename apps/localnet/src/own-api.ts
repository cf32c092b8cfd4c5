/** The API of the started network. */
export interface OwnApi {
  readonly baseUrl: string;
  /** The JSON of the response, whatever its status. */
  get(path: string): Promise<unknown>;
}

export const ownApi = (baseUrl: string, apiKey: string | undefined): OwnApi => {
  const headers: Record<string, string> = apiKey === undefined ? {} : { 'X-API-KEY': apiKey };
  return { baseUrl, get: async (path) => (await fetch(`${baseUrl}${path}`, { headers })).json() };
};
