import { ChoiceField } from '../../common/validation/fields.js';

export class HealthDto {
  @ChoiceField({ oneOf: ['ok'], example: 'ok', description: 'ok; anything else is answered as an error.' })
  status!: 'ok';
}
