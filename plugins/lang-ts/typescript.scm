; What TypeScript adds to JavaScript; see javascript.scm.

(function_signature name: (identifier) @name) @definition.function
(abstract_class_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(type_alias_declaration name: (_) @name) @definition.type
(enum_declaration name: (_) @name) @definition.enum
(internal_module name: (_) @name) @definition.module
(module name: (_) @name) @definition.module
(ambient_declaration "global" @name (statement_block) @body) @definition.module
(method_signature name: (_) @name) @definition.method
(abstract_method_signature name: (_) @name) @definition.method
(public_field_definition name: (_) @name value: $function) @definition.method
(object_type "{" @name) @definition.literal
; The grammar takes a using declaration for an assignment.
(expression_statement (assignment_expression "using" left: (identifier) @name) @definition.constant)
(expression_statement (await_expression (assignment_expression "using" left: (identifier) @name) @definition.constant))

(class_declaration type_parameters: (type_parameters (type_parameter name: (_) @name @definition.parameter)))
(abstract_class_declaration type_parameters: (type_parameters (type_parameter name: (_) @name @definition.parameter)))
(class type_parameters: (type_parameters (type_parameter name: (_) @name @definition.parameter)))

(import_statement (import_require_clause (identifier) @import.name @import.local source: (_) @import.module)) @import

(required_parameter pattern: (identifier) @local type: (_) @type)
(required_parameter pattern: (identifier) @local value: (_) @value)
(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local type: (_) @type)
(optional_parameter pattern: (identifier) @local)
(variable_declarator name: (identifier) @local type: (_) @type)
(type_parameter name: (type_identifier) @local constraint: (constraint (_) @type))
(type_parameter name: (type_identifier) @local)
(infer_type (type_identifier) @local)
(mapped_type_clause name: (type_identifier) @local)

(public_field_definition name: (_) @member type: (_) @type)
(public_field_definition name: (_) @member value: (_) @value)
(property_signature name: (_) @member type: (_) @type)
(required_parameter (accessibility_modifier) pattern: (identifier) @property type: (_) @type)
(required_parameter "readonly" pattern: (identifier) @property type: (_) @type)
(function_declaration name: (identifier) @member return_type: (_) @type)
(function_signature name: (identifier) @member return_type: (_) @type)
(generator_function_declaration name: (identifier) @member return_type: (_) @type)
(method_definition name: (_) @member return_type: (_) @type)
(method_signature name: (_) @member return_type: (_) @type)
(abstract_method_signature name: (_) @member return_type: (_) @type)
(variable_declarator name: (identifier) @member value: (arrow_function return_type: (_) @type))
(variable_declarator name: (identifier) @member type: (_) @type)
(type_alias_declaration name: (_) @member value: [(type_identifier) (generic_type) (nested_type_identifier) (array_type) (union_type)] @type)
(extends_clause value: (_) @base)
(extends_type_clause type: (_) @base)
(implements_clause (_) @base)

(extends_clause value: (identifier) @name @reference.implement)
(extends_clause value: (member_expression object: (_) @qualifier property: (_) @name @reference.implement))
(implements_clause [(type_identifier) @name (generic_type name: (type_identifier) @name)] @reference.implement)
(extends_type_clause [(type_identifier) @name (generic_type name: (type_identifier) @name)] @reference.implement)
(call_expression function: [
  (non_null_expression (identifier) @name)
  (non_null_expression (member_expression object: (_) @qualifier property: (_) @name))
  (instantiation_expression (identifier) @name)
  (non_null_expression (instantiation_expression (identifier) @name))
  (non_null_expression (instantiation_expression (member_expression object: (_) @qualifier property: (_) @name)))
  (instantiation_expression (member_expression object: (_) @qualifier property: (_) @name))
]) @reference.call
(nested_type_identifier module: (_) @qualifier name: (_) @name @reference.type)
(type_identifier) @name @reference.type
(type_query (identifier) @name @reference.read)
(as_expression (identifier) @name @reference.read)
(satisfies_expression (identifier) @name @reference.read)
(non_null_expression (identifier) @name @reference.read)

