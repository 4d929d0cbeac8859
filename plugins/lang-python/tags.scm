; Tags of Python. Captures are explained in the package sdk/treesitter; of several patterns on one name the first counts,
; so the narrow ones stand above the wide ones. No pattern asks for the root: in broken code it is an ERROR.
;
; Kinds and roles that are settled in finish.go, since a query cannot see what lies around a node: definition.function is
; any def, definition.method a lambda with a name, definition.variable any assignment, definition.alias one that is
; annotated as a TypeAlias; reference.binder is no reference at all. Where classes and functions begin and end, outline.go says.

; Definitions.

(class_definition name: (identifier) @name) @definition.class

; A function right in a class names its object by the first parameter; by custom alone, and the name is all that tells.
(class_definition body: (block [
  (function_definition
    name: (identifier) @name
    parameters: (parameters [(identifier) @self (typed_parameter (identifier) @self)])?) @definition.function
  (decorated_definition definition: (function_definition
    name: (identifier) @name
    parameters: (parameters [(identifier) @self (typed_parameter (identifier) @self)])?) @definition.function)
  (if_statement consequence: (block (function_definition
    name: (identifier) @name
    parameters: (parameters [(identifier) @self (typed_parameter (identifier) @self)])?) @definition.function))
]) (#any-of? @self "self" "cls" "mcs" "mcls" "metacls"))
(function_definition name: (identifier) @name) @definition.function

(type_alias_statement left: (type [(identifier) @name (generic_type (identifier) @name)])) @definition.type
(type_alias_statement left: (type (subscript value: (identifier) @name))) @definition.type

; A chain of assignments is one statement, whose lines all its names have.
(assignment right: (assignment right: (assignment left: (identifier) @name right: [
  (lambda body: (_) @body)
  (parenthesized_expression (lambda body: (_) @body))
]))) @definition.method
(assignment right: (assignment left: (identifier) @name right: [
  (lambda body: (_) @body)
  (parenthesized_expression (lambda body: (_) @body))
  (assignment right: (lambda body: (_) @body))
])) @definition.method
(assignment left: (identifier) @name right: (assignment right: [
  (lambda body: (_) @body)
  (parenthesized_expression (lambda body: (_) @body))
  (assignment right: (lambda body: (_) @body))
])) @definition.method
(assignment left: (identifier) @name right: [
  (lambda body: (_) @body)
  (parenthesized_expression (lambda body: (_) @body))
  (parenthesized_expression (parenthesized_expression (lambda body: (_) @body)))
]) @definition.method
(assignment
  left: (identifier) @name
  type: (type [(identifier) @annotation (attribute attribute: (identifier) @annotation)])
  (#eq? @annotation "TypeAlias")) @definition.alias
(assignment right: (assignment right: (assignment right: (assignment left: [
  (identifier) @name
  (pattern_list [(identifier) @name (list_splat_pattern (identifier) @name) (tuple_pattern (identifier) @name) (list_pattern (identifier) @name)])
  (tuple_pattern [(identifier) @name (list_splat_pattern (identifier) @name)])
  (list_pattern [(identifier) @name (list_splat_pattern (identifier) @name)])
])))) @definition.variable
(assignment right: (assignment right: (assignment left: [
  (identifier) @name
  (pattern_list [(identifier) @name (list_splat_pattern (identifier) @name) (tuple_pattern (identifier) @name) (list_pattern (identifier) @name)])
  (tuple_pattern [(identifier) @name (list_splat_pattern (identifier) @name)])
  (list_pattern [(identifier) @name (list_splat_pattern (identifier) @name)])
]))) @definition.variable
(assignment right: (assignment left: [
  (identifier) @name
  (pattern_list [(identifier) @name (list_splat_pattern (identifier) @name) (tuple_pattern (identifier) @name) (list_pattern (identifier) @name)])
  (tuple_pattern [(identifier) @name (list_splat_pattern (identifier) @name)])
  (list_pattern [(identifier) @name (list_splat_pattern (identifier) @name)])
])) @definition.variable
(assignment left: [
  (identifier) @name
  (pattern_list [
    (identifier) @name
    (list_splat_pattern (identifier) @name)
    (tuple_pattern [(identifier) @name (list_splat_pattern (identifier) @name) (tuple_pattern [(identifier) @name (list_splat_pattern (identifier) @name)]) (list_pattern (identifier) @name)])
    (list_pattern [(identifier) @name (list_splat_pattern (identifier) @name) (tuple_pattern [(identifier) @name (list_splat_pattern (identifier) @name)]) (list_pattern (identifier) @name)])
  ])
  (tuple_pattern [
    (identifier) @name
    (list_splat_pattern (identifier) @name)
    (tuple_pattern [(identifier) @name (list_splat_pattern (identifier) @name) (tuple_pattern [(identifier) @name (list_splat_pattern (identifier) @name)]) (list_pattern (identifier) @name)])
    (list_pattern [(identifier) @name (list_splat_pattern (identifier) @name) (tuple_pattern [(identifier) @name (list_splat_pattern (identifier) @name)]) (list_pattern (identifier) @name)])
  ])
  (list_pattern [
    (identifier) @name
    (list_splat_pattern (identifier) @name)
    (tuple_pattern [(identifier) @name (list_splat_pattern (identifier) @name) (tuple_pattern [(identifier) @name (list_splat_pattern (identifier) @name)]) (list_pattern (identifier) @name)])
    (list_pattern [(identifier) @name (list_splat_pattern (identifier) @name) (tuple_pattern [(identifier) @name (list_splat_pattern (identifier) @name)]) (list_pattern (identifier) @name)])
  ])
]) @definition.variable

; Imports: one statement may name many modules, each with many names, so its text is read in finish.go.
(import_statement) @import.module
(import_from_statement) @import.module
(future_import_statement) @import.module

; Names that a function declares for itself.
(parameters [
  (identifier) @local
  (default_parameter name: (identifier) @local value: (_) @value)
  (typed_default_parameter name: (identifier) @local type: (_) @type)
  (typed_parameter (identifier) @local type: (_) @type)
  (typed_parameter (dictionary_splat_pattern (identifier) @local))
  (dictionary_splat_pattern (identifier) @local)
])
(lambda_parameters [
  (identifier) @local
  (default_parameter name: (identifier) @local)
  (dictionary_splat_pattern (identifier) @local)
])
(list_splat_pattern (identifier) @local)
(tuple_pattern (identifier) @local)
(list_pattern (identifier) @local)
(pattern_list (identifier) @local)
(assignment left: (identifier) @local type: (_) @type)
(assignment left: (identifier) @local right: (_) @value)
(assignment left: (identifier) @local)
(augmented_assignment left: (identifier) @local)
(named_expression name: (identifier) @local value: (_) @value)
(for_statement left: (identifier) @local right: (_) @holder)
(for_in_clause left: (identifier) @local right: (_) @holder)
(with_item value: (as_pattern (_) @value alias: (as_pattern_target (identifier) @local)))
(as_pattern_target (identifier) @local)
(except_clause alias: (identifier) @local)
(as_pattern (case_pattern) "as" (identifier) @local)
(splat_pattern (identifier) @local)
(case_pattern (dotted_name) @local)
(keyword_pattern (dotted_name) @local)
(function_definition type_parameters: (type_parameter (type [
  (identifier) @local
  (splat_type (identifier) @local)
  (constrained_type (type (identifier) @local) ":")
])))
(type_alias_statement left: (type (generic_type (type_parameter (type [
  (identifier) @local
  (splat_type (identifier) @local)
  (constrained_type (type (identifier) @local) ":")
])))))

; The type parameters of a class are declared, not referred to.
(class_definition type_parameters: (type_parameter (type [
  (identifier) @name @reference.binder
  (constrained_type (type (identifier) @name @reference.binder) ":")
])))

; What fields, results and variables are made of, and what classes are based on.
(class_definition superclasses: (argument_list [(identifier) (attribute) (subscript)] @base))
(function_definition name: (identifier) @member return_type: (_) @type)
(return_statement (_) @result)
(assignment left: (identifier) @member type: (_) @type)
(assignment left: (identifier) @member right: (_) @value)
(assignment left: (attribute object: (identifier) @owner attribute: (identifier) @member) type: (_) @type)
(assignment left: (attribute object: (identifier) @owner attribute: (identifier) @member) right: (_) @value)

; References. A qualifier that is an expression says that the name is a member of something unknown.
(decorator [
  (identifier) @name
  (attribute object: (_) @qualifier attribute: (identifier) @name)
  (call function: (identifier) @name)
  (call function: (attribute object: (_) @qualifier attribute: (identifier) @name))
]) @reference.decorator

(class_definition superclasses: (argument_list [
  (identifier) @name
  (attribute object: (_) @qualifier attribute: (identifier) @name)
  (subscript value: (identifier) @name)
  (subscript value: (attribute object: (_) @qualifier attribute: (identifier) @name))
])) @reference.implement

(call function: (identifier) @name) @reference.call
(call function: (attribute object: (_) @qualifier attribute: (identifier) @name)) @reference.call
(call function: (parenthesized_expression (identifier) @name)) @reference.call
(call function: (subscript value: (identifier) @name)) @reference.call
(call function: (subscript value: (attribute object: (_) @qualifier attribute: (identifier) @name))) @reference.call
; The grammar takes `type(x).a = b` for a type alias.
(type_alias_statement "type" @name left: (type (attribute))) @reference.call
(type_alias_statement "type" @name left: (type (subscript value: (parenthesized_expression)))) @reference.call

(type [
  (identifier) @name
  (attribute object: (_) @qualifier attribute: (identifier) @name)
  (subscript value: (identifier) @name)
  (subscript value: (attribute object: (_) @qualifier attribute: (identifier) @name))
  (binary_operator [(identifier) @name (attribute object: (_) @qualifier attribute: (identifier) @name)])
  (binary_operator (binary_operator [(identifier) @name (attribute object: (_) @qualifier attribute: (identifier) @name)]))
]) @reference.type
(generic_type (identifier) @name) @reference.type
(member_type (type) @qualifier (identifier) @name) @reference.type
((type (string (string_content) @name)) @reference.type (#match? @name "^[A-Za-z_][A-Za-z0-9_]*$"))
(class_pattern (dotted_name) @name) @reference.type

(attribute object: (_) @qualifier attribute: (identifier) @name) @reference.read

; In a pattern a dotted name is a value; a plain one is declared.
(case_pattern (dotted_name) @name @reference.read (#match? @name "[.]"))
(union_pattern (dotted_name) @name @reference.read (#match? @name "[.]"))
(keyword_pattern (dotted_name) @name @reference.read (#match? @name "[.]"))

; A name given as a value: a callback, an assigned constant, an operand.
(argument_list (identifier) @name @reference.read)
(keyword_argument value: (identifier) @name @reference.read)
(assignment right: (identifier) @name @reference.read)
(augmented_assignment right: (identifier) @name @reference.read)
(named_expression value: (identifier) @name @reference.read)
(default_parameter value: (identifier) @name @reference.read)
(typed_default_parameter value: (identifier) @name @reference.read)
(return_statement (identifier) @name @reference.read)
(expression_statement (identifier) @name @reference.read)
(expression_list (identifier) @name @reference.read)
(list (identifier) @name @reference.read)
(tuple (identifier) @name @reference.read)
(set (identifier) @name @reference.read)
(pair (identifier) @name @reference.read)
(list_splat (identifier) @name @reference.read)
(dictionary_splat (identifier) @name @reference.read)
(parenthesized_expression (identifier) @name @reference.read)
(conditional_expression (identifier) @name @reference.read)
(binary_operator (identifier) @name @reference.read)
(boolean_operator (identifier) @name @reference.read)
(comparison_operator (identifier) @name @reference.read)
(not_operator argument: (identifier) @name @reference.read)
(unary_operator argument: (identifier) @name @reference.read)
(attribute object: (identifier) @name @reference.read)
(subscript (identifier) @name @reference.read)
(slice (identifier) @name @reference.read)
(await (identifier) @name @reference.read)
(yield (identifier) @name @reference.read)
(lambda body: (identifier) @name @reference.read)
(interpolation expression: (identifier) @name @reference.read)
(for_statement right: (identifier) @name @reference.read)
(for_in_clause right: (identifier) @name @reference.read)
(list_comprehension body: (identifier) @name @reference.read)
(set_comprehension body: (identifier) @name @reference.read)
(generator_expression body: (identifier) @name @reference.read)
(if_clause (identifier) @name @reference.read)
(if_statement condition: (identifier) @name @reference.read)
(elif_clause condition: (identifier) @name @reference.read)
(while_statement condition: (identifier) @name @reference.read)
(match_statement subject: (identifier) @name @reference.read)
(with_item value: (identifier) @name @reference.read)
(as_pattern (identifier) @name @reference.read)
(except_clause value: (identifier) @name @reference.read)
(raise_statement (identifier) @name @reference.read)
(assert_statement (identifier) @name @reference.read)
(decorator (conditional_expression (identifier) @name @reference.read))
