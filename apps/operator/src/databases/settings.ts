import { z } from 'zod';
import { databaseSettings } from '@shardnode/core/process';

/** The variables of one service's database; `{database}` in them is the placeholder of its name. */
export const operatorDatabaseSettings = z.object(databaseSettings);
