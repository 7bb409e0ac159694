import { type ApiParamOptions } from '@nestjs/swagger';
import { PROVIDER_NAMES } from '../providers/provider-registry.js';

/** The path parameter that names a provider. */
export const PROVIDER: ApiParamOptions = {
  name: 'provider',
  description: 'The payment provider.',
  schema: { type: 'string', enum: [...PROVIDER_NAMES] },
  example: 'custom',
};
