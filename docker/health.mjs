/* global AbortSignal */
/**
 * The health check of the images: the process on the port that the environment names answers /health/ready with yes. One that
 * works and waits for another (a sibling, the bus) is not ready, and its reasons are printed: `docker inspect` shows them.
 */
const port = process.env.HEALTH_PORT || process.env.EXPLORER_PORT || process.env.PORT;
try {
  const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(4_000) });
  console.log((await answer.text()).slice(0, 1_000));
  process.exitCode = answer.ok ? 0 : 1;
} catch (error) {
  console.log(`/health/ready on port ${port} does not answer: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
