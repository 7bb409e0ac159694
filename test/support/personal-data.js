/** Prints the collections that features have added to the registry of personal data, as JSON. The environment is that of an operator. */
import { operatorConfig, withPartsOn } from '../../dist/app/cli/operator.js';
import { PersonalDataRegistry } from '../../dist/infrastructure/buyers/personal-data.js';

await withPartsOn(process.env.MONGODB_URI, operatorConfig(), (parts) => {
  const { all } = parts.get(PersonalDataRegistry, { strict: false });
  console.log(JSON.stringify(all.map(({ collection }) => collection)));
});
