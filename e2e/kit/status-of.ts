/** The status of an answer. Its body is read: a connection whose answer nobody reads stays open. */
export const statusOf = async (url: string, request?: RequestInit): Promise<number> => {
  const answer = await fetch(url, request);
  await answer.arrayBuffer();
  return answer.status;
};
