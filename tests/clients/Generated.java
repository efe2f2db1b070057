package javax.annotation;

/** The mark of generated classes, which is not part of the JDK any more. */
public @interface Generated {
  String[] value() default {};

  String date() default "";

  String comments() default "";
}
