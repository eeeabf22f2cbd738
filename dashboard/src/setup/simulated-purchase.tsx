// Button that simulates a purchase of a test app.
import { api, unwrap, type Schemas } from '../api/client';
import { refresh } from '../api/query';
import { useProject } from '../context/project';
import { productChoices } from '../names/product-choices';
import { Form, Select } from '../parts/form';
import { text } from '../parts/form-dialog';
import { toast } from '../parts/toast';
import { useProducts } from './lists';

export function SimulatedPurchase({ app }: { readonly app: Schemas['App'] }) {
  const { project } = useProject();
  const products = useProducts().data?.items.filter(({ appId }) => appId === app.id) ?? [];
  if (products.length === 0) return <p>Add a product first.</p>;
  const buy = async (data: FormData) => {
    const params = { path: { id: project.id, appId: app.id } };
    const body = { productId: text(data, 'productId') };
    const { appUserId } = await unwrap(api.POST('/v1/projects/{id}/apps/{appId}/test-purchase', { params, body }));
    await refresh();
    toast(`The customer ${appUserId} has bought it.`);
  };
  return (
    <Form label="Simulate a purchase" submit={buy}>
      <Select label="Product" name="productId" options={productChoices(products)} />
    </Form>
  );
}
