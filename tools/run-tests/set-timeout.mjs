import { jest } from '@jest/globals';

// Of each size: Jest has the setting `testTimeout` for all projects together, and this call for one.
jest.setTimeout(globalThis.testTimeoutMs);
