/** The API of the network that this program has started. */
export interface OwnApi {
  readonly baseUrl: string;
  /** The status and the JSON of the answer; undefined for an empty one. */
  ask(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<OwnAnswer>;
}

export interface OwnAnswer {
  readonly status: number;
  readonly body: unknown;
}

export const ownApi = (baseUrl: string, apiKey: string | undefined): OwnApi => {
  const headers: Record<string, string> = apiKey === undefined ? {} : { 'X-API-KEY': apiKey };
  return {
    baseUrl,
    ask: async (method, path, body) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await fetch(`${baseUrl}${path}`, { method, headers, ...sent });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
    },
  };
};
