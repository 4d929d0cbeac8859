; Tags of Rust. Captures are explained in the package sdk/treesitter; of several patterns on one name the first counts,
; so the narrow ones stand above the wide ones. The roles token and attribute are the pack's own: Finish settles them.

; Definitions. An impl block goes by the whole type that it is for; Finish makes a name of that.

(impl_item type: (_) @name) @container

(impl_item body: (declaration_list (function_item
  name: (identifier) @name parameters: (parameters (self_parameter (self) @self))) @definition.method))
(impl_item body: (declaration_list (function_item
  name: (identifier) @name parameters: (parameters (parameter pattern: (self) @self))) @definition.method))
(impl_item body: (declaration_list (function_item name: (identifier) @name) @definition.method))
(impl_item body: (declaration_list (function_signature_item name: (identifier) @name) @definition.method))

(trait_item body: (declaration_list (function_item
  name: (identifier) @name parameters: (parameters (self_parameter (self) @self))) @definition.method))
(trait_item body: (declaration_list (function_item
  name: (identifier) @name parameters: (parameters (parameter pattern: (self) @self))) @definition.method))
(trait_item body: (declaration_list (function_item name: (identifier) @name) @definition.method))
(trait_item body: (declaration_list (function_signature_item name: (identifier) @name) @definition.method))

(function_item name: (identifier) @name) @definition.function
(function_signature_item name: (identifier) @name) @definition.function

(struct_item name: (type_identifier) @name) @definition.struct
(union_item name: (type_identifier) @name) @definition.struct
(enum_item name: (type_identifier) @name) @definition.enum
(trait_item name: (type_identifier) @name) @definition.trait
(type_item name: (type_identifier) @name) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(mod_item name: (identifier) @name) @definition.module
(macro_definition name: (identifier) @name) @definition.macro

; Finish drops those inside of bodies. The blank name must not become part of a scope.
(const_item name: (identifier) @name (#not-eq? @name "_")) @definition.constant
(static_item name: (identifier) @name (#not-eq? @name "_")) @definition.variable

; Imports. Finish takes the tree behind a use apart.
(use_declaration argument: (_) @import.module) @import
(extern_crate_declaration name: (identifier) @import.module alias: (identifier)? @import.local) @import
(mod_item name: (identifier) @import.module ";") @import
; Items in the braces of a macro are tokens to the grammar; Finish looks for uses and modules among them.
(source_file (macro_invocation (token_tree "{") @import.module) @import)
(source_file (expression_statement (macro_invocation (token_tree "{") @import.module) @import))
(mod_item body: (declaration_list (macro_invocation (token_tree "{") @import.module) @import))

; Names that a function declares for itself. Where a name in a pattern may be a constant or a variant, its case tells.
(parameter pattern: (identifier) @local type: (_) @type)
(parameter pattern: (mut_pattern (identifier) @local) type: (_) @type)
(let_declaration pattern: (identifier) @local type: (_) @type)
(let_declaration pattern: (mut_pattern (identifier) @local) type: (_) @type)
(let_declaration pattern: (identifier) @local value: (_) @value)
(let_declaration pattern: (mut_pattern (identifier) @local) value: (_) @value)
(let_declaration pattern: (tuple_pattern (identifier) @local) @tuple value: (_) @value (#match? @local "^[a-z_]"))
(let_declaration pattern: (tuple_pattern (mut_pattern (identifier) @local)) @tuple value: (_) @value)
(let_declaration pattern: (tuple_pattern (identifier) @local) @tuple type: (_) @type (#match? @local "^[a-z_]"))
(parameter pattern: (tuple_pattern (identifier) @local) @tuple type: (_) @type (#match? @local "^[a-z_]"))
(let_declaration pattern: (tuple_struct_pattern (identifier) @local) value: (_) @holder (#match? @local "^[a-z_]"))
(let_declaration pattern: (identifier) @local)
(let_condition pattern: (tuple_struct_pattern (identifier) @local) value: (_) @holder (#match? @local "^[a-z_]"))
(let_condition pattern: (tuple_struct_pattern (mut_pattern (identifier) @local)) value: (_) @holder)
(let_condition pattern: (identifier) @local)
(match_expression value: (_) @holder body: (match_block (match_arm pattern: (match_pattern
  (tuple_struct_pattern (identifier) @local (#match? @local "^[a-z_]"))))))
(for_expression pattern: (identifier) @local value: (_) @holder)
(for_expression pattern: (tuple_pattern (identifier) @local) @tuple value: (_) @holder (#match? @local "^[a-z_]"))
(closure_parameters (identifier) @local)
(mut_pattern (identifier) @local)
(ref_pattern (identifier) @local)
(captured_pattern (identifier) @local)
(field_pattern name: (shorthand_field_identifier) @local)
(field_pattern pattern: (identifier) @local (#match? @local "^[a-z_]"))
(tuple_pattern (identifier) @local (#match? @local "^[a-z_]"))
(slice_pattern (identifier) @local (#match? @local "^[a-z_]"))
(reference_pattern (identifier) @local (#match? @local "^[a-z_]"))
(or_pattern (identifier) @local (#match? @local "^[a-z_]"))
(match_pattern (identifier) @local (#match? @local "^[a-z_]"))
(tuple_struct_pattern (identifier) @local (#match? @local "^[a-z_]"))
(type_parameter name: (type_identifier) @local bounds: (trait_bounds) @type)
(where_predicate left: (type_identifier) @local bounds: (trait_bounds) @type)
(type_parameter name: (type_identifier) @local)
(const_parameter name: (identifier) @local)

; What fields, results, constants and types are made of, and what traits types have.
(field_declaration name: (field_identifier) @member type: (_) @type)
(ordered_field_declaration_list type: (_) @element) @tuple
(function_item name: (identifier) @member return_type: (_) @type)
(function_signature_item name: (identifier) @member return_type: (_) @type)
(type_item name: (type_identifier) @member type: (_) @type)
(associated_type name: (type_identifier) @member bounds: (trait_bounds) @type)
(const_item name: (identifier) @member type: (_) @type)
(static_item name: (identifier) @member type: (_) @type)
(impl_item trait: (_) @base)
(trait_item bounds: (trait_bounds (_) @base))

; Attributes. What stands in their arguments is no reference, but for the traits that are derived.
(attribute (identifier) @attribute arguments: (token_tree (identifier) @name @reference.implement)
  (#eq? @attribute "derive") (#match? @name "^[A-Z]"))
(attribute arguments: (token_tree (identifier) @name @reference.attribute))
(attribute arguments: (token_tree (token_tree (identifier) @name @reference.attribute)))
(attribute arguments: (token_tree (token_tree (token_tree (identifier) @name @reference.attribute))))
(attribute (identifier) @name @reference.decorator)
(attribute (scoped_identifier path: (_) @qualifier name: (identifier) @name) @reference.decorator)

; References. A qualifier that is an expression says that the name is a member of something unknown.
(impl_item trait: [
  (type_identifier) @name
  (scoped_type_identifier path: (_) @qualifier name: (type_identifier) @name)
  (generic_type type: (type_identifier) @name)
  (generic_type type: (scoped_type_identifier path: (_) @qualifier name: (type_identifier) @name))
] @reference.implement)
(trait_item bounds: (trait_bounds [
  (type_identifier) @name
  (scoped_type_identifier path: (_) @qualifier name: (type_identifier) @name)
  (generic_type type: (type_identifier) @name)
  (generic_type type: (scoped_type_identifier path: (_) @qualifier name: (type_identifier) @name))
] @reference.implement))

(macro_invocation macro: (identifier) @name @reference.macro)
(macro_invocation macro: (scoped_identifier path: (_)? @qualifier name: (identifier) @name) @reference.macro)

(call_expression function: [
  (identifier) @name
  (scoped_identifier path: (generic_type type: (_) @qualifier) name: (identifier) @name)
  (field_expression value: (_) @qualifier field: (field_identifier) @name)
  (generic_function function: (identifier) @name)
  (generic_function function: (scoped_identifier path: (generic_type type: (_) @qualifier) name: (identifier) @name))
  (generic_function function: (field_expression value: (_) @qualifier field: (field_identifier) @name))
] @reference.call)
(call_expression function: (scoped_identifier path: (_)? @qualifier name: (identifier) @name) @reference.call)
(call_expression function: (generic_function function:
  (scoped_identifier path: (_)? @qualifier name: (identifier) @name)) @reference.call)

(scoped_type_identifier path: (generic_type type: (_) @qualifier) name: (type_identifier) @name) @reference.type
(scoped_type_identifier path: (_) @qualifier name: (type_identifier) @name) @reference.type
(type_identifier) @name @reference.type
(tuple_struct_pattern type: (identifier) @name @reference.type)
(tuple_struct_pattern type: (scoped_identifier path: (_) @qualifier name: (identifier) @name) @reference.type)

; A type in a path to its members.
(scoped_identifier path: (identifier) @name @reference.type (#match? @name "^[A-Z]"))
(scoped_identifier path: (scoped_identifier path: (_) @qualifier name: (identifier) @name) @reference.type
  (#match? @name "^[A-Z]"))

; A name given as a value: a callback, an assigned constant, an operand.
(arguments (identifier) @name @reference.read)
(arguments (scoped_identifier path: (_) @qualifier name: (identifier) @name) @reference.read)
(field_initializer value: (identifier) @name @reference.read)
(field_initializer value: (scoped_identifier path: (_) @qualifier name: (identifier) @name) @reference.read)
(let_declaration value: (identifier) @name @reference.read)
(let_declaration value: (scoped_identifier path: (_) @qualifier name: (identifier) @name) @reference.read)
(const_item value: (identifier) @name @reference.read)
(const_item value: (scoped_identifier path: (_) @qualifier name: (identifier) @name) @reference.read)
(static_item value: (identifier) @name @reference.read)
(static_item value: (scoped_identifier path: (_) @qualifier name: (identifier) @name) @reference.read)
(binary_expression (identifier) @name @reference.read)
(binary_expression (scoped_identifier path: (_) @qualifier name: (identifier) @name) @reference.read)
(assignment_expression right: (identifier) @name @reference.read)
(unary_expression (identifier) @name @reference.read)
(reference_expression value: (identifier) @name @reference.read)
(index_expression (identifier) @name @reference.read)
(array_expression (identifier) @name @reference.read)
(array_type length: (identifier) @name @reference.read)
(tuple_expression (identifier) @name @reference.read)
(range_expression (identifier) @name @reference.read)
(field_expression value: (identifier) @name @reference.read)
(block (identifier) @name @reference.read)
(match_arm value: (identifier) @name @reference.read)
(match_arm value: (scoped_identifier path: (_) @qualifier name: (identifier) @name) @reference.read)
(match_pattern (identifier) @name @reference.read)
(match_pattern (scoped_identifier path: (_) @qualifier name: (identifier) @name) @reference.read)
(block (scoped_identifier path: (_) @qualifier name: (identifier) @name) @reference.read)

; Arguments and bodies of macros are loose tokens.
(token_tree (identifier) @name @reference.token)
