import { ApiSchema } from '@nestjs/swagger';
import { ChoiceField } from '../../common/validation/fields.js';

@ApiSchema({ description: 'That the service is well.' })
export class HealthDto {
  @ChoiceField({
    oneOf: ['ok'],
    example: 'ok',
    description: 'Always `ok`. When the check fails, the response is an error.',
  })
  status!: 'ok';
}
