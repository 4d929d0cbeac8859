; Tags of Go. Captures are explained in the package sdk/treesitter; of several patterns on one name the first counts,
; so the narrow ones stand above the wide ones.

(package_clause (package_identifier) @package)

; Definitions. One spec of a group in parentheses is a definition of its own; without parentheses the definition is the
; whole declaration.

(function_declaration name: (identifier) @name) @definition.function

(method_declaration
  receiver: (parameter_list (parameter_declaration name: (identifier)? @self type: [
    (type_identifier) @scope
    (generic_type type: (type_identifier) @scope)
    (pointer_type (type_identifier) @scope)
    (pointer_type (generic_type type: (type_identifier) @scope))
    (parenthesized_type (type_identifier) @scope)
    (parenthesized_type (pointer_type (type_identifier) @scope))
    (pointer_type (parenthesized_type (type_identifier) @scope))
  ]))
  name: (field_identifier) @name) @definition.method

; A receiver that is none of these stands in broken code only.
(method_declaration name: (field_identifier) @name) @definition.method

(type_declaration "(" (type_spec
  name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @definition.struct)
(type_declaration (type_spec
  name: (type_identifier) @name type: (struct_type (field_declaration_list) @body))) @definition.struct
(type_declaration "(" (type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @definition.interface)
(type_declaration (type_spec name: (type_identifier) @name type: (interface_type "{" @body))) @definition.interface
(type_declaration "(" (type_spec name: (type_identifier) @name) @definition.type)
(type_declaration (type_spec name: (type_identifier) @name)) @definition.type
(type_declaration "(" (type_alias name: (type_identifier) @name) @definition.type)
(type_declaration (type_alias name: (type_identifier) @name)) @definition.type

(method_elem name: (field_identifier) @name) @definition.method

; Constants and variables count at package level only.
(source_file (const_declaration "(" (const_spec (identifier) @name) @definition.constant))
(source_file (const_declaration (const_spec (identifier) @name)) @definition.constant)
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @definition.variable)))
(source_file (var_declaration (var_spec name: (identifier) @name)) @definition.variable)

; Imports.
(import_spec name: (_)? @import.local path: (_) @import.module) @import

; Names that a function declares for itself, with what is said of their types.
(parameter_declaration name: (identifier) @local type: (_) @type)
(variadic_parameter_declaration name: (identifier) @local type: (_) @type)
(short_var_declaration left: (expression_list (identifier) @local) @first right: (expression_list) @value)
(short_var_declaration left: (expression_list (identifier) @local))
(range_clause left: (expression_list (_) (identifier) @local) right: (_) @holder)
(range_clause left: (expression_list (identifier) @local))
(receive_statement left: (expression_list (identifier) @local))
(type_switch_statement alias: (expression_list (identifier) @local))
(var_spec name: (identifier) @local type: (_) @type)
(var_spec name: (identifier) @local value: (expression_list) @value) @first
(var_spec name: (identifier) @local)
(const_spec (identifier) @local)
(type_parameter_declaration name: (identifier) @local type: (_) @type)
(method_declaration receiver: (parameter_list (parameter_declaration type: [
  (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @local)))
  (pointer_type (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @local))))
])))

; What fields, results and variables of the package are made of, and what structs and interfaces embed.
(field_declaration name: (field_identifier) @member type: (_) @type)
(field_declaration type: (_) @base) @first
(field_declaration "*" type: (_) @base)
(type_elem [(type_identifier) (qualified_type) (generic_type)] @base)
(function_declaration name: (identifier) @member result: (_) @type)
(method_declaration name: (field_identifier) @member result: (_) @type)
(method_elem name: (field_identifier) @member result: (_) @type)
(source_file (var_declaration (var_spec name: (identifier) @member type: (_) @type)))
(source_file (var_declaration (var_spec name: (identifier) @member value: (expression_list) @value) @first))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @member type: (_) @type))))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @member value: (expression_list) @value) @first)))
(type_spec name: (type_identifier) @member type: [(map_type) (slice_type) (array_type) (pointer_type) (channel_type)] @type)
(type_alias name: (type_identifier) @member type: (_) @type)

; References. A qualifier that is an expression says that the name is a member of something unknown.
(call_expression function: (selector_expression operand: (_) @qualifier field: (field_identifier) @name) @reference.call)
(call_expression function: (identifier) @name @reference.call)
(call_expression function: (parenthesized_expression (identifier) @name @reference.call))
(call_expression function: (parenthesized_expression (selector_expression operand: (_) @qualifier field: (field_identifier) @name) @reference.call))
(call_expression function: (index_expression operand: (identifier) @name @reference.call))
(call_expression function: (index_expression operand: (selector_expression operand: (_) @qualifier field: (field_identifier) @name) @reference.call))
; The grammar takes a call with type arguments for a conversion to a generic type, which is the rarer of the two.
(type_conversion_expression type: (generic_type type: (type_identifier) @name) @reference.call)
(type_conversion_expression type: (generic_type type: (qualified_type package: (package_identifier) @qualifier name: (type_identifier) @name)) @reference.call)
(qualified_type package: (package_identifier) @qualifier name: (type_identifier) @name) @reference.type
(type_identifier) @name @reference.type
(selector_expression operand: (_) @qualifier field: (field_identifier) @name) @reference.read

; A name given as a value: a callback, an assigned constant, an operand.
(argument_list (identifier) @name @reference.read)
(keyed_element value: (literal_element (identifier) @name @reference.read))
(literal_value (literal_element (identifier) @name @reference.read))
(expression_list (identifier) @name @reference.read)
(binary_expression (identifier) @name @reference.read)
(unary_expression (identifier) @name @reference.read)
(index_expression operand: (identifier) @name @reference.read)
(index_expression index: (identifier) @name @reference.read)
(slice_expression (identifier) @name @reference.read)
(selector_expression operand: (identifier) @name @reference.read)
