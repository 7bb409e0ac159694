import { ApiSchema } from '@nestjs/swagger';
import { ALL_PERMISSIONS } from '../../../domain/principal/permissions.js';
import { StringField, StringListField } from '../../../http/validation/fields.js';

@ApiSchema({ description: 'Changes of an API key: its name, its permissions, or both.' })
export class UpdateApiKeyDto {
  @StringField({ optional: true, maxLength: 80, description: 'The new display name.', example: 'Survival server' })
  name?: string;

  @StringListField({
    optional: true,
    maxItems: ALL_PERMISSIONS.length,
    maxLength: 40,
    description:
      'The new permissions, as `<resource>:<action>`. They replace all previous ones. The type must allow them, and you must have them.',
    example: ['orders:read', 'orders:write'],
  })
  permissions?: string[];
}
