// Webhook configurations. The notation is that of `type-table.ts`.

export const ADMISSION_TYPES = `
MutatingWebhookConfiguration: kind:string apiVersion:string metadata!:ObjectMeta webhooks:[MutatingWebhook|name^name]
MutatingWebhook: name!:string clientConfig!:WebhookClientConfig rules:[RuleWithOperations] failurePolicy?:string
  matchPolicy?:string namespaceSelector?:LabelSelector objectSelector?:LabelSelector sideEffects?:string
  timeoutSeconds?:int32 admissionReviewVersions!:[string] reinvocationPolicy?:string
  matchConditions:[MatchCondition|name^name]
ValidatingWebhookConfiguration: kind:string apiVersion:string metadata!:ObjectMeta webhooks:[ValidatingWebhook|name^name]
ValidatingWebhook: name!:string clientConfig!:WebhookClientConfig rules:[RuleWithOperations] failurePolicy?:string
  matchPolicy?:string namespaceSelector?:LabelSelector objectSelector?:LabelSelector sideEffects?:string
  timeoutSeconds?:int32 admissionReviewVersions!:[string] matchConditions:[MatchCondition|name^name]
RuleWithOperations: operations:[string] apiGroups:[string] apiVersions:[string] resources:[string] scope?:string
MatchCondition: name!:string expression!:string
`;
