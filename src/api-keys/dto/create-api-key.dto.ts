import { ApiSchema } from '@nestjs/swagger';
import { ALL_PERMISSIONS } from '../../common/auth/permissions.js';
import { ChoiceField, IdField, InstantField, TextField, TextListField } from '../../common/validation/fields.js';
import { API_KEY_TYPES, type ApiKeyType } from '../api-key.types.js';

@ApiSchema({ description: 'An API key to make.' })
export class CreateApiKeyDto {
  @IdField({ description: 'The shop that the key is for.', example: '655f1c2ab1e4a9d3f0c81234' })
  shopId!: string;

  @TextField({ maxLength: 80, description: 'Display name.', example: 'Survival server' })
  name!: string;

  @ChoiceField({
    oneOf: API_KEY_TYPES,
    description: '`plugin` for game servers, `storefront` for front ends, `secret` for back ends.',
    example: 'plugin',
  })
  type!: ApiKeyType;

  @TextListField({
    maxItems: ALL_PERMISSIONS.length,
    maxLength: 40,
    description: 'As `<resource>:<action>`; within the type and within what you hold.',
    example: ['servers:write', 'orders:read', 'orders:write'],
  })
  permissions!: string[];

  @InstantField({
    optional: true,
    nullable: true,
    description: 'When the key stops working; null or absent: never.',
    example: '2027-11-21T12:00:00.000Z',
  })
  expiresAt?: Date | null;
}
