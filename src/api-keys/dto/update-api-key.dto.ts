import { ApiSchema } from '@nestjs/swagger';
import { ALL_PERMISSIONS } from '../../common/auth/permissions.js';
import { TextField, TextListField } from '../../common/validation/fields.js';

@ApiSchema({ description: 'What to change of an API key: its name, its permissions, or both.' })
export class UpdateApiKeyDto {
  @TextField({ optional: true, maxLength: 80, description: 'New display name.', example: 'Survival server' })
  name?: string;

  @TextListField({
    optional: true,
    maxItems: ALL_PERMISSIONS.length,
    maxLength: 40,
    description: 'The new list in full, as `<resource>:<action>`; within the type and within what you hold.',
    example: ['orders:read', 'orders:write'],
  })
  permissions?: string[];
}
